long long best_window_sum(const int *a, int n, int width)
{
    long long sum = 0;

    if (n <= 0)
        return 0;
    if (width < 1)
        width = 1;
    if (width > n)
        width = n;

    for (int i = 0; i < width; i++)
        sum += a[i];

    long long best = sum;

    for (int i = width; i < n; i++) {
        sum += (long long)a[i] - a[i - width];
        if (sum > best)
            best = sum;
    }
    return best;
}
