bool parse_ipv4(const char *text, unsigned *address)
{
    unsigned packed = 0;
    unsigned octet = 0;
    int digits = 0;
    int dots = 0;

    *address = 0;
    for (;; text++) {
        if (*text >= '0' && *text <= '9') {
            octet = octet * 10 + (unsigned)(*text - '0');
            digits++;
            if (digits > 3 || octet > 255)
                return false;
        } else if (*text == '.' || *text == '\0') {
            if (digits == 0)
                return false;
            packed = (packed << 8) | octet;
            octet = 0;
            digits = 0;
            if (*text == '\0')
                break;
            if (++dots > 3)
                return false;
        } else {
            return false;
        }
    }
    if (dots != 3)
        return false;
    *address = packed;
    return true;
}
