int equilibrium_index(const int *a, int n)
{
    long long total = 0;
    long long left = 0;
    int answer = -1;

    for (int i = 0; i < n; i++)
        total += a[i];

    for (int i = 0; i < n && answer < 0; i++) {
        long long right = total - left - a[i];

        if (left == right)
            answer = i;
        left += a[i];
    }
    return answer;
}
