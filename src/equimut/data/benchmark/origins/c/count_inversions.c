long count_inversions(const int *a, int n)
{
    long total = 0;

    for (int i = 0; i < n; i++) {
        long here = 0;

        for (int j = i + 1; j < n; j++) {
            if (a[i] > a[j])
                here++;
        }
        if (here > 0)
            total += here;
    }
    return total;
}
