/* First station from which the whole ring can be driven, or -1. */
int circuit_start(const int *fuel, const int *distance, int n)
{
    long long total = 0;
    long long tank = 0;
    int start = 0;

    if (n == 0)
        return -1;
    for (int i = 0; i < n; i++) {
        long long gain = (long long)fuel[i] - distance[i];

        total += gain;
        tank += gain;
        if (tank < 0) {
            start = i + 1;
            tank = 0;
        }
    }
    if (total < 0 || start >= n)
        return -1;
    return start;
}
