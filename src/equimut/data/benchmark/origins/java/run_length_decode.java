static String runLengthDecode(String packed) {
    StringBuilder text = new StringBuilder();
    int count = 0;
    for (char c : packed.toCharArray()) {
        if (Character.isDigit(c)) {
            count = Math.min(count * 10 + Character.digit(c, 10), 100);
        } else {
            int times = count == 0 ? 1 : count;
            while (times > 0) {
                text.append(c);
                times--;
            }
            count = 0;
        }
    }
    return text.toString();
}
