int longest_rising_run(const double *samples, int n, int *start)
{
    int best = 0;
    int begin = 0;

    *start = 0;
    for (int i = 0; i < n; i++) {
        if (i > 0 && !(samples[i] > samples[i - 1]))
            begin = i;

        int length = i - begin + 1;
        if (length > best) {
            best = length;
            *start = begin;
        }
    }
    return best;
}
