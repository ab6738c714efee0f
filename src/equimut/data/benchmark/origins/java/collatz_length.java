static int collatzLength(int start) {
    if (start < 1) {
        return 0;
    }
    long value = start;
    int length = 1;
    int limit = 2000;
    while (value != 1 && length < limit) {
        if ((value & 1) == 0) {
            value >>= 1;
        } else {
            value = 3 * value + 1;
        }
        length++;
    }
    return length;
}
