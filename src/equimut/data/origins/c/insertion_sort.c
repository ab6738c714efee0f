void insertion_sort(int *a, int n)
{
    int i, j;

    if (n < 2)
        return;
    for (i = 1; i < n; i++) {
        int value = a[i];

        if (a[i - 1] <= value)
            continue;
        j = i - 1;
        while (j >= 0 && a[j] > value) {
            a[j + 1] = a[j];
            j--;
        }
        a[j + 1] = value;
    }
}
