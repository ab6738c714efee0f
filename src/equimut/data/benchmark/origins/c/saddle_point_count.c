/* Cells that are lowest in their row and highest in their column. */
int saddle_point_count(const int *cells, int n, int width)
{
    int found = 0;

    if (width <= 0)
        return 0;
    if (width > n)
        width = n;

    int rows = width > 0 ? n / width : 0;

    for (int cell = 0; cell < rows * width; cell++) {
        int row = cell / width;
        int column = cell % width;
        bool saddle = true;

        for (int c = 0; c < width && saddle; c++) {
            if (cells[row * width + c] < cells[cell])
                saddle = false;
        }
        for (int r = 0; r < rows && saddle; r++) {
            if (cells[r * width + column] > cells[cell])
                saddle = false;
        }
        if (saddle)
            found++;
    }
    return found;
}
