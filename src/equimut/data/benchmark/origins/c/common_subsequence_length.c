int common_subsequence_length(const char *s, const char *t)
{
    int table[2][9] = {{0}};
    int current = 0;
    int width = 0;

    while (width < 8 && t[width])
        width++;
    if (width == 0)
        return 0;

    for (int i = 0; i < 8 && s[i]; i++) {
        int previous = current;

        current = 1 - current;
        table[current][0] = 0;
        for (int j = 1; j <= width; j++) {
            int up = table[previous][j];
            int back = table[current][j - 1];

            if (s[i] == t[j - 1])
                table[current][j] = table[previous][j - 1] + 1;
            else
                table[current][j] = up >= back ? up : back;
        }
    }
    return table[current][width];
}
