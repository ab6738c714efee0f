int median_of_three(const int *a, int n)
{
    int low = 0, middle = 0, high = 0;

    if (n == 0)
        return 0;
    low = a[0];
    middle = a[n / 2];
    high = a[n - 1];
    if (low > middle) {
        int held = low;

        low = middle;
        middle = held;
    }
    if (middle > high) {
        int held = middle;

        middle = high;
        high = held;
    }
    if (low > middle)
        middle = low;
    return middle;
}
