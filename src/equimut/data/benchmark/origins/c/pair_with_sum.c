/* Finds two places whose values add up to sum, the first such pair. */
bool pair_with_sum(const int *a, int n, int sum, int *first, int *second)
{
    *first = -1;
    *second = -1;
    if (n < 2)
        return false;

    for (int i = 0; i < n - 1; i++) {
        for (int j = i + 1; j < n; j++) {
            if ((long long)a[i] + a[j] == sum) {
                *first = i;
                *second = j;
                return true;
            }
        }
    }
    return *first >= 0;
}
