/** Transposes rows of different lengths, filling the holes with a given value. */
static int[][] transposeRagged(int[][] rows, int filler) {
    int columns = 0;
    for (int[] row : rows) {
        if (row != null && row.length > columns) {
            columns = row.length;
        }
    }
    int[][] turned = new int[columns][rows.length];
    for (int c = 0; c < columns; c++) {
        for (int r = 0; r < rows.length; r++) {
            boolean present = rows[r] != null && c < rows[r].length;
            turned[c][r] = present ? rows[r][c] : filler;
        }
    }
    return turned;
}
