/* Reads a signed decimal prefix, like atoi, but stops at the limits of int. */
int parse_int_saturating(const char *s)
{
    long long value = 0;
    bool negative = false;

    while (*s == ' ' || *s == '\t')
        s++;
    if (*s == '-' || *s == '+') {
        negative = (*s == '-');
        s++;
    }
    while (*s >= '0' && *s <= '9') {
        value = value * 10 + (*s - '0');
        if (value > INT_MAX)
            value = (long long)INT_MAX + 1;
        s++;
    }
    if (negative)
        value = -value;
    if (value > INT_MAX)
        value = INT_MAX;
    if (value < INT_MIN)
        value = INT_MIN;
    return (int)value;
}
