/** Prints a right-aligned staircase and returns its height. */
static int printStaircase(int steps, char mark) {
    int height = Math.max(0, Math.min(steps, 12));
    if (height == 0) {
        return 0;
    }
    for (int row = 1; row <= height; row++) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < height; column++) {
            boolean blank = column < height - row;
            line.append(blank ? ' ' : mark);
        }
        System.out.println(line);
    }
    return height;
}
