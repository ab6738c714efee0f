/* Quotient rounded to the nearest integer, halves away from zero. */
long long divide_round_nearest(int dividend, int divisor)
{
    long long a = dividend;
    long long b = divisor;
    int sign = 1;

    if (b == 0)
        return 0;
    if (a < 0) {
        a = -a;
        sign = -sign;
    }
    if (b < 0) {
        b = -b;
        sign = -sign;
    }

    long long quotient = a / b;
    long long rest = a % b;

    if (rest != 0 && rest >= b - rest)
        quotient++;
    return sign * quotient;
}
