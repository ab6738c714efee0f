static int kthSmallest(int[] numbers, int k) {
    if (numbers.length == 0) {
        throw new IllegalArgumentException("empty");
    }
    int rank = Math.max(0, Math.min(k, numbers.length - 1));
    int[] work = numbers.clone();
    int lo = 0;
    int hi = work.length - 1;
    while (lo < hi) {
        int pivot = work[(lo + hi) / 2];
        int i = lo;
        int j = hi;
        while (i <= j) {
            while (work[i] < pivot) {
                i++;
            }
            while (work[j] > pivot) {
                j--;
            }
            if (i <= j) {
                int kept = work[i];
                work[i++] = work[j];
                work[j--] = kept;
            }
        }
        if (rank <= j) {
            hi = j;
        } else if (rank >= i) {
            lo = i;
        } else {
            return work[rank];
        }
    }
    return work[lo];
}
