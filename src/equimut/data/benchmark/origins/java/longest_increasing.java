static int longestIncreasing(int[] series) {
    if (series == null) {
        return 0;
    }
    int[] tails = new int[series.length];
    int length = 0;
    for (int value : series) {
        int lo = 0;
        int hi = length;
        while (lo < hi) {
            int mid = (lo + hi) / 2;
            if (tails[mid] < value) {
                lo = mid + 1;
            } else {
                hi = mid;
            }
        }
        tails[lo] = value;
        if (lo == length) {
            length++;
        }
    }
    return length;
}
