/** Check digit that completes a card number; separators are skipped. */
static int luhnCheckDigit(String number) {
    int sum = 0;
    int digits = 0;
    boolean twice = true;
    for (int i = number.length() - 1; i >= 0; i--) {
        int digit = number.charAt(i) - '0';
        if (digit < 0 || digit > 9) {
            continue;
        }
        if (twice) {
            digit *= 2;
            if (digit > 9) {
                digit -= 9;
            }
        }
        sum += digit;
        twice = !twice;
        digits++;
    }
    if (digits == 0) {
        return -1;
    }
    return (10 - sum % 10) % 10;
}
