/** Recolours the area around a cell in place; returns the number of cells. */
static int floodFill(int[][] picture, int row, int column, int colour) {
    if (row < 0 || row >= picture.length) {
        return 0;
    }
    if (column < 0 || column >= picture[row].length) {
        return 0;
    }
    int old = picture[row][column];
    if (old == colour) {
        return 0;
    }
    picture[row][column] = colour;
    int painted = 1;
    int[] steps = {-1, 0, 1, 0, -1};
    for (int s = 0; s < 4; s++) {
        int r = row + steps[s];
        int c = column + steps[s + 1];
        if (r >= 0 && r < picture.length && c >= 0 && c < picture[r].length) {
            if (picture[r][c] == old) {
                painted += floodFill(picture, r, c, colour);
            }
        }
    }
    return painted;
}
