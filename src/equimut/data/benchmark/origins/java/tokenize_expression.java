static String[] tokenizeExpression(String input) {
    String[] tokens = new String[input.length()];
    int used = 0;
    int i = 0;
    while (i < input.length()) {
        char c = input.charAt(i);
        if (Character.isWhitespace(c)) {
            i++;
            continue;
        }
        int start = i;
        if (Character.isDigit(c)) {
            while (i < input.length() && Character.isDigit(input.charAt(i))) {
                i++;
            }
        } else if (Character.isLetter(c) || c == '_') {
            while (i < input.length()
                    && (Character.isLetterOrDigit(input.charAt(i)) || input.charAt(i) == '_')) {
                i++;
            }
        } else {
            i++;
        }
        tokens[used++] = input.substring(start, i);
    }
    return Arrays.copyOf(tokens, used);
}
