/* Moves everything below a[0] in front of it; the pivot's new place. */
int partition_by_first(int *a, int n)
{
    int store = 0;
    int tmp = 0;

    if (n == 0)
        return -1;
    if (n == 1)
        return 0;

    int pivot = a[0];

    for (int i = 1; i < n; i++) {
        if (a[i] < pivot) {
            store++;
            tmp = a[i];
            a[i] = a[store];
            a[store] = tmp;
        }
    }
    tmp = a[0];
    a[0] = a[store];
    a[store] = tmp;
    return store;
}
