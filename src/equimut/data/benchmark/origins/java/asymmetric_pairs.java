/** Counts the mirrored pairs of cells that differ; cells outside a row are 0. */
static int asymmetricPairs(int[][] matrix) {
    int pairs = 0;
    for (int r = 0; r < matrix.length; r++) {
        for (int c = 0; c <= r; c++) {
            int lower = 0;
            if (c < matrix[r].length) {
                lower = matrix[r][c];
            }
            int upper = 0;
            if (r < matrix[c].length) {
                upper = matrix[c][r];
            }
            if (lower != upper) {
                pairs++;
            }
        }
    }
    return pairs;
}
