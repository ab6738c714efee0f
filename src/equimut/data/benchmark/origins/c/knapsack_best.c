long knapsack_best(const int *weights, const int *values, int n, int capacity)
{
    long best[51] = {0};

    if (capacity < 0)
        return 0;
    if (capacity > 50)
        capacity = 50;

    for (int i = 0; i < n; i++) {
        if (weights[i] < 0 || values[i] <= 0)
            continue;
        for (int w = capacity; w >= weights[i]; w--) {
            long with = best[w - weights[i]] + values[i];

            if (with > best[w])
                best[w] = with;
        }
    }
    return best[capacity];
}
