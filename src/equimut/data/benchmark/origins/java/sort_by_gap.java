/** Sorts in place with shrinking gaps and tells how many values moved. */
static int sortByGap(int[] items) {
    int moves = 0;
    int gap = items.length;
    boolean done = items.length < 2;
    while (!done) {
        gap = gap * 10 / 13;
        if (gap <= 1) {
            gap = 1;
            done = true;
        }
        for (int i = 0; i + gap < items.length; i++) {
            if (items[i] > items[i + gap]) {
                int held = items[i];
                items[i] = items[i + gap];
                items[i + gap] = held;
                moves++;
                done = false;
            }
        }
    }
    return moves;
}
