/* Recursive square and multiply; stops at LLONG_MAX. */
long long saturating_power(unsigned char base, unsigned exponent)
{
    long long half = 1;
    long long result = 1;

    if (exponent == 0)
        return 1;
    if (base <= 1)
        return base;
    if (exponent > 63)
        return LLONG_MAX;

    half = saturating_power(base, exponent / 2);
    if (half > LLONG_MAX / half)
        return LLONG_MAX;
    result = half * half;
    if (exponent % 2 == 1) {
        if (result > LLONG_MAX / base)
            return LLONG_MAX;
        result *= base;
    }
    return result;
}
