/* The fullest of ten buckets over 0..99; outliers go to the edge buckets. */
int histogram_mode(const int *values, int n)
{
    int buckets[10] = {0};
    int mode = 0;

    if (n == 0)
        return -1;
    for (int i = 0; i < n; i++) {
        int slot = values[i] / 10;

        if (slot < 0)
            slot = 0;
        if (slot > 9)
            slot = 9;
        buckets[slot]++;
    }
    for (int b = 1; b < 10; b++) {
        if (buckets[b] > buckets[mode])
            mode = b;
    }
    return mode;
}
