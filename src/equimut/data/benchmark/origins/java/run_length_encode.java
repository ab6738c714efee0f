static String runLengthEncode(String text) {
    if (text.length() < 2) {
        return text;
    }
    StringBuilder packed = new StringBuilder();
    char current = text.charAt(0);
    int run = 1;
    for (int i = 1; i <= text.length(); i++) {
        boolean same = i < text.length() && text.charAt(i) == current;
        if (same) {
            run++;
            continue;
        }
        if (run > 1) {
            packed.append(run);
        }
        packed.append(current);
        if (i < text.length()) {
            current = text.charAt(i);
        }
        run = 1;
    }
    return packed.toString();
}
