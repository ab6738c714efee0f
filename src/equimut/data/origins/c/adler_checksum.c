uint32_t adler_checksum(const unsigned char *data, size_t len)
{
    const uint32_t base = 65521;
    uint32_t low = 1;
    uint32_t high = 0;

    if (len == 0)
        return 1;
    for (size_t i = 0; i < len; i++) {
        low += data[i];
        if (low >= base)
            low -= base;
        high += low;
        if (high >= base)
            high -= base;
    }
    return ((high % base) << 16) | low;
}
