static int saturatingSum(int[] deltas, int start) {
    int total = start;
    if (deltas == null) {
        return total;
    }
    for (int delta : deltas) {
        if (delta == 0) {
            continue;
        }
        if (delta > 0 && total > Integer.MAX_VALUE - delta) {
            total = Integer.MAX_VALUE;
        } else if (delta < 0 && total < Integer.MIN_VALUE - delta) {
            total = Integer.MIN_VALUE;
        } else {
            total += delta;
        }
    }
    return total;
}
