static int interpolationSearch(int[] values, int wanted) {
    int low = 0;
    int high = values.length - 1;
    int probe = -1;
    while (low <= high && wanted >= values[low] && wanted <= values[high]) {
        long span = (long) values[high] - values[low];
        if (span == 0) {
            return low;
        }
        long offset = ((long) wanted - values[low]) * (high - low) / span;
        probe = low + (int) offset;
        if (values[probe] == wanted) {
            return probe;
        }
        if (values[probe] < wanted) {
            low = probe + 1;
        } else {
            high = probe - 1;
        }
    }
    return -1;
}
