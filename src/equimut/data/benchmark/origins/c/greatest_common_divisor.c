unsigned greatest_common_divisor(int a, int b)
{
    unsigned x = a < 0 ? 0u - (unsigned)a : (unsigned)a;
    unsigned y = b < 0 ? 0u - (unsigned)b : (unsigned)b;

    if (x == 0)
        return y;
    if (x < y) {
        unsigned held = x;

        x = y;
        y = held;
    }
    while (y != 0) {
        unsigned rest = x % y;

        x = y;
        y = rest;
    }
    return x;
}
