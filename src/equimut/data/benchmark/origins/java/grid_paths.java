/** Ways from the top left to the bottom right corner; negative cells are walls. */
static int gridPaths(int[][] grid) {
    if (grid == null || grid.length == 0 || grid[0].length == 0) {
        return 0;
    }
    int columns = grid[0].length;
    int[] ways = new int[columns];
    ways[0] = 1;
    for (int[] line : grid) {
        for (int c = 0; c < columns; c++) {
            boolean wall = c >= line.length || line[c] < 0;
            if (wall) {
                ways[c] = 0;
            } else if (c > 0) {
                ways[c] += ways[c - 1];
            }
        }
    }
    return ways[columns - 1];
}
