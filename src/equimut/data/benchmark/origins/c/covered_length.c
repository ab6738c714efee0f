/* Length of the union of the intervals [starts[i], starts[i] + spans[i]), of the first 8. */
long long covered_length(const int *starts, const int *spans, int n)
{
    long long covered = 0;
    long long reached = LLONG_MIN;
    bool used[8] = {false};

    if (n > 8)
        n = 8;
    for (int round = 0; round < n; round++) {
        int next = -1;

        for (int i = 0; i < n; i++) {
            if (!used[i] && (next < 0 || starts[i] < starts[next]))
                next = i;
        }
        used[next] = true;
        if (spans[next] <= 0)
            continue;

        long long from = starts[next];
        long long to = from + spans[next];

        if (from < reached)
            from = reached;
        if (to > from) {
            covered += to - from;
            reached = to;
        }
    }
    return covered;
}
