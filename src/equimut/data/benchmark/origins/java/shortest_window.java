/** Length of the shortest slice of positive values that reaches the goal, or 0. */
static int shortestWindow(int[] values, int goal) {
    int shortest = values.length + 1;
    long sum = 0;
    int from = 0;
    for (int to = 0; to < values.length; to++) {
        sum += Math.max(0, values[to]);
        while (from <= to && sum >= goal) {
            int length = to - from + 1;
            if (length < shortest) {
                shortest = length;
            }
            sum -= Math.max(0, values[from]);
            from++;
        }
    }
    return shortest > values.length ? 0 : shortest;
}
