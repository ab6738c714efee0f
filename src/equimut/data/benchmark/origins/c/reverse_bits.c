/* The low width bits in reverse order; bits above them are dropped. */
uint32_t reverse_bits(uint32_t word, int width)
{
    uint32_t reversed = 0;

    if (width <= 0)
        return 0;
    if (width > 32)
        width = 32;
    for (int i = 0; i < width; i++) {
        reversed <<= 1;
        reversed |= word & 1u;
        word >>= 1;
    }
    return reversed;
}
