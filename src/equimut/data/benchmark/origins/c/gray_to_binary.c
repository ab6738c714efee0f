unsigned gray_to_binary(unsigned gray)
{
    unsigned binary = gray;
    unsigned shift = 1;

    if (gray <= 1)
        return gray;
    while (shift < 32) {
        binary ^= binary >> shift;
        shift <<= 1;
    }
    if ((binary ^ (binary >> 1)) != gray)
        return 0;
    return binary;
}
