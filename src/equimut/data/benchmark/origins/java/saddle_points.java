/** Number of cells that are largest in their row and smallest in their column. */
static int saddlePoints(int[][] table) {
    int found = 0;
    for (int r = 0; r < table.length; r++) {
        int rowMax = Integer.MIN_VALUE;
        for (int cell : table[r]) {
            rowMax = cell > rowMax ? cell : rowMax;
        }
        for (int c = 0; c < table[r].length; c++) {
            if (table[r][c] < rowMax) {
                continue;
            }
            boolean lowest = true;
            for (int other = 0; other < table.length; other++) {
                if (c < table[other].length && table[other][c] < rowMax) {
                    lowest = false;
                }
            }
            if (lowest) {
                found++;
            }
        }
    }
    return found;
}
