/* Simpson's rule over equally spaced samples; a last odd strip is a trapezoid. */
double simpson_samples(const double *y, int n, double step)
{
    double area = 0.0;
    int last = n - 1;

    if (n < 2)
        return 0.0;
    if (step < 0)
        step = -step;
    if (last % 2 != 0) {
        area += 0.5 * step * (y[last - 1] + y[last]);
        last--;
    }

    double sum = 0.0;

    for (int i = 0; i <= last && last > 0; i++) {
        if (i == 0 || i == last)
            sum += y[i];
        else if (i % 2 == 1)
            sum += 4.0 * y[i];
        else
            sum += 2.0 * y[i];
    }
    return area + sum * step / 3.0;
}
