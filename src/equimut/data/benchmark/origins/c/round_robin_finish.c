/* Time at which job 0 is done when every job gets quantum units in turn. */
long round_robin_finish(const int *work, int n, int quantum)
{
    int left[8] = {0};
    long clock = 0;

    if (n == 0 || n > 8)
        return -1;
    if (quantum < 1)
        quantum = 1;
    for (int i = 0; i < n; i++)
        left[i] = work[i] < 0 ? 0 : work[i] % 100;

    while (left[0] > 0) {
        for (int i = 0; i < n; i++) {
            int slice = left[i] < quantum ? left[i] : quantum;

            if (slice == 0)
                continue;
            clock += slice;
            left[i] -= slice;
            if (i == 0 && left[0] == 0)
                return clock;
        }
    }
    return clock;
}
