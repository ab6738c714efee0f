/** Least number of jumps to the last cell; a cell holds its longest jump. */
static int jumpGame(int[] reach) {
    if (reach.length <= 1) {
        return 0;
    }
    int jumps = 0;
    int border = 0;
    long farthest = 0;
    for (int i = 0; i < reach.length - 1; i++) {
        farthest = Math.max(farthest, (long) i + reach[i]);
        if (i == border) {
            if (farthest <= i) {
                return -1;
            }
            jumps++;
            border = (int) Math.min(farthest, reach.length - 1);
        }
    }
    return jumps;
}
