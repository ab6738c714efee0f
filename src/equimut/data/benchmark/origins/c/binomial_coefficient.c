/* From one row of Pascal's triangle; n is cut to 60 so that it always fits. */
unsigned long long binomial_coefficient(unsigned n, unsigned k)
{
    unsigned long long row[61] = {0};

    if (n > 60)
        n = 60;
    if (k > n)
        return 0;
    if (k > n - k)
        k = n - k;
    if (k == 0)
        return 1;

    row[0] = 1;
    for (unsigned i = 1; i <= n; i++) {
        unsigned top = i < k ? i : k;

        for (unsigned j = top; j > 0; j--)
            row[j] += row[j - 1];
    }
    return row[k];
}
