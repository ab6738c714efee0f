/** Linear interpolation in a table with ascending xs, held constant outside. */
static double interpolateTable(double[] xs, double[] ys, double x) {
    int points = Math.min(xs.length, ys.length);
    if (points == 0) {
        return 0;
    }
    if (x <= xs[0]) {
        return ys[0];
    }
    for (int i = 1; i < points; i++) {
        if (x <= xs[i]) {
            double width = xs[i] - xs[i - 1];
            if (width <= 0) {
                return ys[i];
            }
            double share = (x - xs[i - 1]) / width;
            share = Math.max(0, Math.min(1, share));
            return ys[i - 1] + share * (ys[i] - ys[i - 1]);
        }
    }
    return ys[points - 1];
}
