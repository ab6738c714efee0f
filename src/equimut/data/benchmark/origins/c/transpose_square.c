void transpose_square(int *cells, int n)
{
    int side = 0;

    while ((side + 1) * (side + 1) <= n)
        side++;
    if (side < 2)
        return;

    for (int row = 0; row < side; row++) {
        for (int column = row; column < side; column++) {
            int held = cells[row * side + column];

            cells[row * side + column] = cells[column * side + row];
            cells[column * side + row] = held;
        }
    }
}
