/* The largest value that differs from the maximum; INT_MIN when there is none. */
int second_largest(const int *a, int n)
{
    int first = INT_MIN;
    int second = INT_MIN;

    if (n < 2)
        return INT_MIN;
    for (int i = 0; i < n; i++) {
        if (a[i] > first) {
            second = first;
            first = a[i];
        } else if (a[i] < first && a[i] > second) {
            second = a[i];
        }
    }
    return second;
}
