bool is_symmetric_matrix(const int *cells, int n)
{
    int side = 0;
    bool symmetric = true;

    while (side * side < n)
        side++;
    if (side * side != n)
        return false;

    for (int i = 0; i < side && symmetric; i++) {
        for (int j = 0; j < i; j++) {
            if (cells[i * side + j] != cells[j * side + i]) {
                symmetric = false;
                break;
            }
        }
    }
    return symmetric;
}
