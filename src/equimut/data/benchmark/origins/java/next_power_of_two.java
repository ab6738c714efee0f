static int nextPowerOfTwo(int wanted) {
    int maximum = 1 << 30;
    if (wanted <= 1) {
        return 1;
    }
    if (wanted >= maximum) {
        return maximum;
    }
    int filled = wanted - 1;
    filled |= filled >>> 1;
    filled |= filled >>> 2;
    filled |= filled >>> 4;
    filled |= filled >>> 8;
    filled |= filled >>> 16;
    return filled < 0 ? 1 : filled + 1;
}
