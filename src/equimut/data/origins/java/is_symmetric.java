static boolean isSymmetric(int[][] matrix) {
    int n = matrix.length;
    for (int r = 0; r < n; r++) {
        if (matrix[r].length != n) {
            return false;
        }
    }
    boolean symmetric = true;
    for (int r = 0; r < n && symmetric; r++) {
        for (int c = 0; c <= r; c++) {
            if (matrix[r][c] != matrix[c][r]) {
                symmetric = false;
                break;
            }
        }
    }
    return symmetric;
}
