/* Code points in a byte string; a broken sequence counts byte by byte. */
int utf8_length(const unsigned char *bytes, int n)
{
    int points = 0;
    int i = 0;

    while (i < n) {
        int extra = 0;

        if ((bytes[i] & 0xE0) == 0xC0)
            extra = 1;
        else if ((bytes[i] & 0xF0) == 0xE0)
            extra = 2;
        else if ((bytes[i] & 0xF8) == 0xF0)
            extra = 3;
        if (extra > n - i - 1)
            extra = 0;
        for (int k = 1; k <= extra; k++) {
            if ((bytes[i + k] & 0xC0) != 0x80) {
                extra = 0;
                break;
            }
        }
        points++;
        i += 1 + extra;
    }
    return points;
}
