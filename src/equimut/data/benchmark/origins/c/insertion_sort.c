void insertion_sort(int *a, int n)
{
    if (n < 2)
        return;
    for (int i = 1; i < n; i++) {
        int value = a[i];
        int j = i - 1;

        if (a[j] <= value)
            continue;
        while (j >= 0 && a[j] > value) {
            a[j + 1] = a[j];
            j--;
        }
        a[j + 1] = value;
    }
}
