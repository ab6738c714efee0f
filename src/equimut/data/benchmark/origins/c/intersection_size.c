/* How many values two sorted arrays share, counting repeats. */
int intersection_size(const int *a, int n, const int *b, int len)
{
    int shared = 0;
    int i = 0;
    int j = 0;

    if (n == 0 || len == 0)
        return 0;
    while (i < n && j < len) {
        if (a[i] < b[j]) {
            i++;
        } else if (a[i] > b[j]) {
            j++;
        } else {
            shared++;
            i++;
            j++;
        }
    }
    return shared;
}
