bool parse_hex(const char *text, unsigned *value)
{
    unsigned result = 0;
    int digits = 0;

    *value = 0;
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
        text += 2;

    for (; *text != '\0'; text++) {
        int digit = 0;

        if (*text >= '0' && *text <= '9')
            digit = *text - '0';
        else if (*text >= 'a' && *text <= 'f')
            digit = *text - 'a' + 10;
        else if (*text >= 'A' && *text <= 'F')
            digit = *text - 'A' + 10;
        else
            return false;
        if (result != 0 || digit != 0)
            digits++;
        if (digits > 8)
            return false;
        result = (result << 4) | (unsigned)digit;
    }
    *value = result;
    return true;
}
