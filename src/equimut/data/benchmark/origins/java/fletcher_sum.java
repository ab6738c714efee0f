static int fletcherSum(String text) {
    int low = 0;
    int high = 0;
    int length = text.length();
    for (int i = 0; i < length; i++) {
        low += text.charAt(i) & 0xFF;
        if (low >= 255) {
            low -= 255;
        }
        high += low;
        if (high >= 255) {
            high -= 255;
        }
    }
    low %= 255;
    high %= 255;
    return high << 8 | low;
}
