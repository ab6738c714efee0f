static int[] mergeSorted(int[] left, int[] right) {
    if (left == null || left.length == 0) {
        return right == null ? new int[0] : right.clone();
    }
    if (right == null || right.length == 0) {
        return left.clone();
    }
    int[] merged = new int[left.length + right.length];
    int i = 0;
    int j = 0;
    int out = 0;
    while (i < left.length && j < right.length) {
        if (left[i] <= right[j]) {
            merged[out++] = left[i++];
        } else {
            merged[out++] = right[j++];
        }
    }
    while (i < left.length) {
        merged[out++] = left[i++];
    }
    while (j < right.length) {
        merged[out++] = right[j++];
    }
    return merged;
}
