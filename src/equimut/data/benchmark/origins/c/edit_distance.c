/* Levenshtein distance; only the first 8 characters of each string count. */
int edit_distance(const char *s, const char *t)
{
    int row[9] = {0};
    int m = 0, n = 0;

    while (m < 8 && s[m] != '\0')
        m++;
    while (n < 8 && t[n] != '\0')
        n++;
    for (int j = 0; j <= n; j++)
        row[j] = j;

    for (int i = 1; i <= m; i++) {
        int diagonal = row[0];

        row[0] = i;
        for (int j = 1; j <= n; j++) {
            int above = row[j];
            int cost = diagonal;

            if (s[i - 1] != t[j - 1]) {
                if (above < cost)
                    cost = above;
                if (row[j - 1] < cost)
                    cost = row[j - 1];
                cost++;
            }
            row[j] = cost;
            diagonal = above;
        }
    }
    return row[n];
}
