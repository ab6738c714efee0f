/** Index of an element that is not smaller than its neighbours, or -1. */
static int findPeak(int[] heights) {
    if (heights == null || heights.length == 0) {
        return -1;
    }
    int left = 0;
    int right = heights.length - 1;
    while (left < right) {
        int middle = (left + right) >>> 1;
        if (heights[middle] < heights[middle + 1]) {
            left = middle + 1;
        } else {
            right = middle;
        }
    }
    return left;
}
