void shell_sort(long *a, int n)
{
    int gap = 1;

    while (gap < n / 3)
        gap = 3 * gap + 1;

    for (; gap > 0; gap /= 3) {
        for (int i = gap; i < n; i++) {
            long moving = a[i];
            int j = i;

            while (j >= gap && a[j - gap] > moving) {
                a[j] = a[j - gap];
                j -= gap;
            }
            if (j != i)
                a[j] = moving;
        }
    }
}
