double horner_value(const double *coefficients, int n, double x)
{
    double value = 0.0;

    if (n == 0)
        return 0.0;
    if (x == 0.0)
        return coefficients[0];
    for (int i = n - 1; i >= 0; i--)
        value = value * x + coefficients[i];
    return value;
}
