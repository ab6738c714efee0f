static long progressiveTax(int income) {
    int[] bounds = {0, 10000, 30000, 80000};
    int[] percents = {0, 15, 25, 40};
    if (income <= bounds[1]) {
        return 0;
    }
    long tax = 0;
    for (int band = 0; band < bounds.length; band++) {
        int upper = band + 1 < bounds.length ? bounds[band + 1] : Integer.MAX_VALUE;
        if (income < bounds[band]) {
            break;
        }
        long inside = Math.min(income, upper) - bounds[band];
        if (inside > 0) {
            tax += inside * percents[band];
        }
    }
    return (tax + 50) / 100;
}
