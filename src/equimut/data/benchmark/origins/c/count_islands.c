/* Groups of touching nonzero cells in a grid that is width cells wide. */
int count_islands(const char *grid, int n, int width)
{
    bool seen[9] = {false};
    int stack[9] = {0};
    int islands = 0;

    if (n > 9)
        n = 9;
    if (width < 1 || width > n)
        width = n;

    for (int start = 0; start < n; start++) {
        int top = 0;

        if (grid[start] == 0 || seen[start])
            continue;
        islands++;
        seen[start] = true;
        stack[top++] = start;
        while (top > 0) {
            int cell = stack[--top];
            int near[4] = {-1, -1, cell - width, cell + width};

            if (cell % width > 0)
                near[0] = cell - 1;
            if (cell % width < width - 1)
                near[1] = cell + 1;
            for (int k = 0; k < 4; k++) {
                int next = near[k];

                if (next < 0 || next >= n || seen[next] || grid[next] == 0)
                    continue;
                seen[next] = true;
                stack[top++] = next;
            }
        }
    }
    return islands;
}
