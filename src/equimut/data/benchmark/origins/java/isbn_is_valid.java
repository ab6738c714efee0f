/** Weighted checksum as in an ISBN; 10 stands for X and may only come last. */
static boolean isbnIsValid(int[] digits) {
    if (digits == null || digits.length == 0) {
        return false;
    }
    int weight = digits.length;
    int sum = 0;
    for (int i = 0; i < digits.length; i++) {
        int digit = digits[i];
        boolean last = i == digits.length - 1;
        if (digit < 0 || digit > (last ? 10 : 9)) {
            return false;
        }
        sum += digit * weight;
        weight--;
    }
    return sum % 11 == 0;
}
