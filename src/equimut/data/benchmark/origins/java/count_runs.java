/** Counts the maximal rising and falling stretches of a series. */
static int countRuns(int[] series) {
    int runs = 0;
    int trend = 0;
    for (int i = 1; i < series.length; i++) {
        int move = Integer.compare(series[i], series[i - 1]);
        if (move == 0) {
            continue;
        }
        if (move != trend) {
            runs++;
            trend = move;
        }
    }
    return runs;
}
