uint16_t fletcher_checksum(const unsigned char *data, size_t len)
{
    unsigned low = 0;
    unsigned high = 0;

    if (len == 0)
        return 0;
    for (size_t i = 0; i < len; i++) {
        low += data[i];
        if (low >= 255)
            low -= 255;
        high += low;
        if (high >= 255)
            high -= 255;
    }
    return (uint16_t)(((high % 255) << 8) | (low & 0xFF));
}
