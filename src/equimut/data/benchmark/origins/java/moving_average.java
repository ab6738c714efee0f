static double[] movingAverage(int[] values, int radius) {
    int reach = Math.max(0, Math.min(radius, values.length));
    long[] sums = new long[values.length + 1];
    for (int i = 0; i < values.length; i++) {
        sums[i + 1] = sums[i] + values[i];
    }
    double[] smooth = new double[values.length];
    for (int i = 0; i < values.length; i++) {
        int from = Math.max(0, i - reach);
        int to = Math.min(values.length, i + reach + 1);
        int count = to - from;
        if (count > 0) {
            smooth[i] = (double) (sums[to] - sums[from]) / count;
        }
    }
    return smooth;
}
