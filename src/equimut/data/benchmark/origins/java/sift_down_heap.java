static boolean siftDownHeap(int[] heap, int size, int root) {
    int used = Math.min(size, heap.length);
    if (root < 0 || root >= used) {
        return false;
    }
    int node = root;
    int moving = heap[root];
    boolean moved = false;
    while (true) {
        int child = 2 * node + 1;
        if (child >= used) {
            break;
        }
        if (child + 1 < used && heap[child + 1] > heap[child]) {
            child++;
        }
        if (heap[child] <= moving) {
            break;
        }
        heap[node] = heap[child];
        node = child;
        moved = true;
    }
    heap[node] = moving;
    return moved;
}
