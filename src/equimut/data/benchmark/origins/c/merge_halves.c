/* The two sorted halves of a become one sorted run. */
bool merge_halves(int *a, int n)
{
    int left[4] = {0};
    int half = n / 2;
    int i = 0, j = half, k = 0;

    if (half > 4)
        return false;
    if (half > 0 && a[half - 1] <= a[half])
        return true;

    for (int m = 0; m < half; m++)
        left[m] = a[m];

    while (i < half && j < n) {
        if (left[i] <= a[j])
            a[k++] = left[i++];
        else
            a[k++] = a[j++];
    }
    while (i < half)
        a[k++] = left[i++];
    return true;
}
