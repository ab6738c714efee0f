unsigned mod_pow(unsigned base, unsigned exponent, unsigned modulus)
{
    uint64_t result = 1;
    uint64_t factor = 0;

    if (modulus == 0)
        return 0;
    if (modulus == 1)
        return 0;

    factor = base % modulus;
    while (exponent > 0) {
        if (exponent & 1u)
            result = result * factor % modulus;
        exponent >>= 1;
        if (exponent > 0)
            factor = factor * factor % modulus;
    }
    return (unsigned)(result % modulus);
}
