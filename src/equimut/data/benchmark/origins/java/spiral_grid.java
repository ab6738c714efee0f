/** Numbers the cells of a grid from 1 along an inward spiral. */
static int[][] spiralGrid(int rows, int columns) {
    int height = Math.max(0, Math.min(rows, 9));
    int width = Math.max(0, Math.min(columns, 9));
    int[][] grid = new int[height][width];
    int top = 0;
    int bottom = height - 1;
    int left = 0;
    int right = width - 1;
    int next = 1;
    while (top <= bottom && left <= right) {
        for (int c = left; c <= right; c++) {
            grid[top][c] = next++;
        }
        top++;
        for (int r = top; r <= bottom; r++) {
            grid[r][right] = next++;
        }
        right--;
        if (top <= bottom) {
            for (int c = right; c >= left; c--) {
                grid[bottom][c] = next++;
            }
            bottom--;
        }
        if (left <= right) {
            for (int r = bottom; r >= top; r--) {
                grid[r][left] = next++;
            }
            left++;
        }
    }
    return grid;
}
