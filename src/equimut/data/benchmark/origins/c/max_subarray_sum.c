long long max_subarray_sum(const int *a, int n)
{
    long long best = 0;
    long long running = 0;

    if (n <= 0)
        return 0;
    best = a[0];
    for (int i = 0; i < n; i++) {
        running += a[i];
        if (running > best)
            best = running;
        if (running < 0)
            running = 0;
    }
    return best;
}
