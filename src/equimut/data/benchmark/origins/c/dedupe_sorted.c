size_t dedupe_sorted(int *a, size_t n)
{
    size_t kept = 0;

    if (n < 2)
        return n;

    for (size_t i = 1; i < n; i++) {
        if (a[i] != a[kept]) {
            kept++;
            if (kept != i)
                a[kept] = a[i];
        }
    }
    return kept + 1;
}
