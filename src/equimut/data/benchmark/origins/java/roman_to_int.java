/** Sum of a roman numeral; characters that are no numeral are skipped. */
static int romanToInt(String numeral) {
    int total = 0;
    int previous = 0;
    for (int i = numeral.length() - 1; i >= 0; i--) {
        int worth;
        switch (Character.toUpperCase(numeral.charAt(i))) {
            case 'I': worth = 1; break;
            case 'V': worth = 5; break;
            case 'X': worth = 10; break;
            case 'L': worth = 50; break;
            case 'C': worth = 100; break;
            case 'D': worth = 500; break;
            case 'M': worth = 1000; break;
            default: worth = 0; break;
        }
        if (worth == 0) {
            continue;
        }
        if (worth < previous) {
            total -= worth;
        } else {
            total += worth;
            previous = worth;
        }
    }
    return total;
}
