static boolean isDecimalLiteral(String text) {
    int state = 0;
    for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        boolean digit = c >= '0' && c <= '9';
        switch (state) {
            case 0:
                state = digit ? 2 : c == '+' || c == '-' ? 1 : c == '.' ? 3 : -1;
                break;
            case 1:
                state = digit ? 2 : c == '.' ? 3 : -1;
                break;
            case 2:
                state = digit ? 2 : c == '.' ? 4 : c == 'e' ? 5 : -1;
                break;
            case 3:
            case 4:
                state = digit ? 4 : state == 4 && c == 'e' ? 5 : -1;
                break;
            case 5:
                state = digit ? 7 : c == '-' ? 6 : -1;
                break;
            default:
                state = digit ? 7 : -1;
                break;
        }
        if (state < 0) {
            return false;
        }
    }
    return state == 2 || state == 4 || state == 7;
}
