bool next_permutation(int *a, int n)
{
    int i = n - 2;
    bool found = false;

    while (i >= 0 && a[i] >= a[i + 1])
        i--;

    if (i >= 0) {
        int j = n - 1;
        int held = a[i];

        while (j > i && a[j] <= a[i])
            j--;
        a[i] = a[j];
        a[j] = held;
        found = true;
    }

    for (int lo = i + 1, hi = n - 1; lo < hi; lo++, hi--) {
        int held = a[lo];

        a[lo] = a[hi];
        a[hi] = held;
    }
    return found;
}
