/* The most meetings one room can hold, taking the earliest end each time. */
int max_meetings(const int *starts, const int *ends, int n)
{
    long free_from = LONG_MIN;
    int held = 0;

    while (held <= n) {
        int pick = -1;

        for (int i = 0; i < n; i++) {
            if (starts[i] >= ends[i] || starts[i] < free_from)
                continue;
            if (pick < 0 || ends[i] < ends[pick])
                pick = i;
        }
        if (pick < 0)
            break;
        free_from = ends[pick];
        held++;
    }
    return held;
}
