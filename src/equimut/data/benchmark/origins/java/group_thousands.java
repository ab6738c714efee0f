static String groupThousands(long amount) {
    String digits = Long.toString(amount);
    int first = amount < 0 ? 1 : 0;
    int length = digits.length() - first;
    if (length <= 3) {
        return digits;
    }
    StringBuilder grouped = new StringBuilder();
    for (int i = 0; i < digits.length(); i++) {
        int remaining = digits.length() - i;
        if (i > first && remaining % 3 == 0) {
            grouped.append(',');
        }
        grouped.append(digits.charAt(i));
    }
    return grouped.toString();
}
