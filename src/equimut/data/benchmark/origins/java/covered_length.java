/** Total length covered by the intervals [starts[i], ends[i]). */
static long coveredLength(int[] starts, int[] ends) {
    int n = Math.min(starts.length, ends.length);
    int[] order = new int[n];
    for (int i = 0; i < n; i++) {
        int slot = i;
        while (slot > 0 && starts[order[slot - 1]] > starts[i]) {
            order[slot] = order[slot - 1];
            slot--;
        }
        order[slot] = i;
    }
    long covered = 0;
    long reached = Long.MIN_VALUE;
    for (int k = 0; k < n; k++) {
        long start = starts[order[k]];
        long end = ends[order[k]];
        if (end <= start) {
            continue;
        }
        if (start < reached) {
            start = reached;
        }
        if (end > start) {
            covered += end - start;
            reached = end;
        }
    }
    return covered;
}
