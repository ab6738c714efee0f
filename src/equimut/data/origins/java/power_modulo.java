static long powerModulo(int base, int exponent, int modulus) {
    if (modulus <= 0) {
        throw new ArithmeticException("modulus must be positive");
    }
    if (modulus == 1) {
        return 0;
    }
    long factor = base % modulus;
    if (factor < 0) {
        factor += modulus;
    }
    long result = 1;
    int remaining = exponent < 0 ? 0 : exponent;
    while (remaining > 0) {
        if ((remaining & 1) == 1) {
            result = result * factor % modulus;
        }
        remaining >>= 1;
        factor = factor * factor % modulus;
    }
    return result;
}
