/** Value of sums and products without brackets; other characters are ignored. */
static int evaluateSum(String formula) {
    int total = 0;
    int term = 1;
    int sign = 1;
    int number = 0;
    boolean any = false;
    for (int i = 0; i <= formula.length(); i++) {
        char c = i < formula.length() ? formula.charAt(i) : '+';
        if (c >= '0' && c <= '9') {
            number = number * 10 + (c - '0');
            any = true;
        } else if (c == '*') {
            term *= number;
            number = 0;
            any = false;
        } else if (c == '+' || c == '-') {
            if (any) {
                total += sign * term * number;
            }
            sign = c == '-' ? -1 : 1;
            term = 1;
            number = 0;
            any = false;
        }
    }
    return total;
}
