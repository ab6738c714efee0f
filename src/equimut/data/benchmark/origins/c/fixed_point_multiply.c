/* Product of two 16.16 numbers, rounded to nearest and saturated. */
int32_t fixed_point_multiply(int32_t a, int32_t b)
{
    int64_t product = (int64_t)a * b;
    int64_t half = 1 << 15;

    if (product == 0)
        return 0;
    if (product < 0)
        product = -((-product + half) / 65536);
    else
        product = (product + half) / 65536;

    if (product > INT32_MAX)
        return INT32_MAX;
    if (product < INT32_MIN)
        return INT32_MIN;
    return (int32_t)product;
}
