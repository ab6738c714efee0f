static String toBase(int number, int base) {
    int radix = Math.max(2, Math.min(base, 36));
    if (number == 0) {
        return "0";
    }
    long rest = Math.abs((long) number);
    char[] digits = new char[33];
    int at = digits.length;
    while (rest > 0) {
        int digit = (int) (rest % radix);
        at--;
        digits[at] = (char) (digit < 10 ? '0' + digit : 'a' + digit - 10);
        rest /= radix;
    }
    if (number < 0) {
        at--;
        digits[at] = '-';
    }
    return new String(digits, at, digits.length - at);
}
