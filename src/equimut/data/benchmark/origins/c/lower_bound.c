/* Index of the first element that is not below key, in a sorted array. */
int lower_bound(const int *a, int n, int key)
{
    int low = 0;
    int high = n;

    if (n <= 0 || key <= a[0])
        return 0;
    while (low < high) {
        int mid = low + (high - low) / 2;

        if (a[mid] < key)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}
