static void rotateInPlace(int[] items, int places) {
    int n = items.length;
    if (n < 2) {
        return;
    }
    int shift = Math.floorMod(places, n);
    if (shift == 0) {
        return;
    }
    int moved = 0;
    for (int start = 0; moved < n; start++) {
        int slot = start;
        int carried = items[start];
        do {
            int goal = (slot + shift) % n;
            int displaced = items[goal];
            items[goal] = carried;
            carried = displaced;
            slot = goal;
            moved++;
        } while (slot != start);
    }
}
