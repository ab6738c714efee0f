/** Largest sum of a non-empty slice, with its start and end index. */
static long[] bestSliceSum(int[] gains) {
    if (gains.length == 0) {
        return new long[] {0, -1, -1};
    }
    long best = gains[0];
    long current = gains[0];
    int start = 0;
    int bestStart = 0;
    int bestEnd = 0;
    for (int i = 1; i < gains.length; i++) {
        if (current < 0) {
            current = 0;
            start = i;
        }
        current += gains[i];
        if (current > best) {
            best = current;
            bestStart = start;
            bestEnd = i;
        }
    }
    return new long[] {best, bestStart, bestEnd};
}
