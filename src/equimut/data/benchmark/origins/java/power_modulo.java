static long powerModulo(int base, int exponent, int modulus) {
    if (modulus == 0) {
        throw new ArithmeticException("modulus must not be zero");
    }
    long m = Math.abs((long) modulus);
    if (m == 1) {
        return 0;
    }
    long factor = base % m;
    if (factor < 0) {
        factor += m;
    }
    long result = 1;
    int remaining = exponent < 0 ? 0 : exponent;
    while (remaining > 0) {
        if ((remaining & 1) == 1) {
            result = result * factor % m;
        }
        remaining >>= 1;
        factor = factor * factor % m;
    }
    return result;
}
