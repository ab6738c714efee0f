/** Value and slope of a polynomial, coefficients from the constant term upwards. */
static double[] polynomialValue(double[] coefficients, double x) {
    double value = 0;
    double slope = 0;
    int degree = coefficients.length - 1;
    while (degree > 0 && coefficients[degree] == 0) {
        degree--;
    }
    for (int k = degree; k >= 0; k--) {
        slope = slope * x + value;
        value = value * x + coefficients[k];
    }
    return new double[] {value, slope};
}
