/** Determinant of a 3 x 3 matrix; missing cells are those of the identity. */
static long smallDeterminant(int[] cells) {
    int n = 3;
    long[] m = new long[n * n];
    for (int i = 0; i < m.length; i++) {
        if (i < cells.length) {
            m[i] = cells[i] % 1000;
        } else {
            m[i] = i % (n + 1) == 0 ? 1 : 0;
        }
    }
    long previous = 1;
    int sign = 1;
    for (int k = 0; k < n - 1; k++) {
        int pivot = k;
        while (pivot < n && m[pivot * n + k] == 0) {
            pivot++;
        }
        if (pivot == n) {
            return 0;
        }
        if (pivot != k) {
            for (int c = 0; c < n; c++) {
                long kept = m[k * n + c];
                m[k * n + c] = m[pivot * n + c];
                m[pivot * n + c] = kept;
            }
            sign = -sign;
        }
        for (int r = k + 1; r < n; r++) {
            for (int c = k + 1; c < n; c++) {
                long cross = m[r * n + c] * m[k * n + k] - m[r * n + k] * m[k * n + c];
                m[r * n + c] = cross / previous;
            }
            m[r * n + k] = 0;
        }
        previous = m[k * n + k];
    }
    return sign * m[n * n - 1];
}
