/* Three-point moving average; the two ends keep their values. */
void smooth_in_place(double *samples, int n)
{
    double previous = 0.0;
    double current = 0.0;

    if (n < 3)
        return;
    previous = samples[0];
    for (int i = 1; i < n - 1; i++) {
        current = samples[i];
        samples[i] = (previous + current + samples[i + 1]) / 3.0;
        previous = current;
    }
}
