/** One generation of the game of life on a board without wrap-around; positive cells live. */
static int[][] lifeStep(int[][] board) {
    int height = board.length;
    int[][] next = new int[height][];
    for (int r = 0; r < height; r++) {
        next[r] = new int[board[r].length];
        for (int c = 0; c < board[r].length; c++) {
            int alive = 0;
            for (int y = Math.max(0, r - 1); y <= Math.min(height - 1, r + 1); y++) {
                for (int x = Math.max(0, c - 1); x <= c + 1 && x < board[y].length; x++) {
                    if ((y != r || x != c) && board[y][x] > 0) {
                        alive++;
                    }
                }
            }
            if (alive == 3) {
                next[r][c] = 1;
            } else if (alive == 2) {
                next[r][c] = board[r][c] > 0 ? 1 : 0;
            } else {
                next[r][c] = 0;
            }
        }
    }
    return next;
}
