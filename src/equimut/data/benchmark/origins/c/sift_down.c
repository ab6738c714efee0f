void sift_down(int *heap, int n, int start)
{
    int root = start;

    if (start < 0 || start >= n)
        return;

    while (root < n / 2) {
        int child = 2 * root + 1;
        int largest = root;

        if (heap[child] > heap[largest])
            largest = child;
        if (child + 1 < n && heap[child + 1] > heap[largest])
            largest = child + 1;
        if (largest == root)
            break;

        int held = heap[root];
        heap[root] = heap[largest];
        heap[largest] = held;
        root = largest;
    }
}
