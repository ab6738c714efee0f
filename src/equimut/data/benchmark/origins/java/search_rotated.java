static int searchRotated(int[] ring, int target) {
    if (ring == null) {
        return -1;
    }
    int lo = 0;
    int hi = ring.length - 1;
    while (lo <= hi) {
        int mid = lo + ((hi - lo) >> 1);
        int pivot = ring[mid];
        if (pivot == target) {
            return mid;
        }
        boolean leftOrdered = ring[lo] <= pivot;
        if (leftOrdered) {
            if (target >= ring[lo] && target < pivot) {
                hi = mid - 1;
            } else {
                lo = mid + 1;
            }
        } else if (target > pivot && target <= ring[hi]) {
            lo = mid + 1;
        } else {
            hi = mid - 1;
        }
    }
    return -1;
}
