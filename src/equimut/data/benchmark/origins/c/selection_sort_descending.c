int selection_sort_descending(short *a, int n)
{
    int swaps = 0;

    for (int i = 0; i < n - 1; i++) {
        int best = i;

        for (int j = i + 1; j < n; j++) {
            if (a[j] > a[best])
                best = j;
        }
        if (best != i) {
            short held = a[i];

            a[i] = a[best];
            a[best] = held;
            swaps++;
        }
    }
    return swaps;
}
