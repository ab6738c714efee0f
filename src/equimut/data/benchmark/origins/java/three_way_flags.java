/** Groups negatives, zeros and positives; returns where the zeros begin and end. */
static int[] threeWayFlags(int[] values) {
    int below = 0;
    int cursor = 0;
    int above = values.length - 1;
    while (cursor <= above) {
        int current = values[cursor];
        if (current < 0) {
            values[cursor] = values[below];
            values[below] = current;
            below++;
            cursor++;
        } else if (current > 0) {
            values[cursor] = values[above];
            values[above] = current;
            above--;
        } else {
            cursor++;
        }
    }
    return new int[] {below, cursor};
}
