bool subset_sum_reachable(const int *a, int n, int target)
{
    uint64_t reachable = 1;

    if (target < 0 || target > 63)
        return false;
    if (target == 0)
        return true;

    for (int i = 0; i < n; i++) {
        if (a[i] < 0 || a[i] > 63)
            continue;
        reachable |= reachable << a[i];
        if ((reachable >> target) & 1)
            return true;
    }
    return ((reachable >> target) & 1) != 0;
}
