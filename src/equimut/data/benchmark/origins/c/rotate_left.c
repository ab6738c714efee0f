/* Rotates by steps through three reversals; negative steps go right. */
void rotate_left(int *a, int n, int steps)
{
    if (n <= 1)
        return;
    steps %= n;
    if (steps < 0)
        steps += n;
    if (steps == 0)
        return;

    int bounds[3][2] = {{0, steps - 1}, {steps, n - 1}, {0, n - 1}};

    for (int r = 0; r < 3; r++) {
        int lo = bounds[r][0];
        int hi = bounds[r][1];

        while (lo < hi) {
            int held = a[lo];

            a[lo++] = a[hi];
            a[hi--] = held;
        }
    }
}
