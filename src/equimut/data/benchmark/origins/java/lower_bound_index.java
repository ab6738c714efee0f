/** First position in the ascending array whose value is not below the key. */
static int lowerBoundIndex(int[] sorted, int key) {
    if (sorted.length == 0) {
        return 0;
    }
    int from = 0;
    int to = sorted.length;
    while (from < to) {
        int probe = from + (to - from) / 2;
        if (sorted[probe] < key) {
            from = probe + 1;
        } else {
            to = probe;
        }
    }
    return from;
}
