int compare_versions(const char *a, const char *b)
{
    while (*a != '\0' || *b != '\0') {
        unsigned left = 0;
        unsigned right = 0;

        while (*a >= '0' && *a <= '9')
            left = left * 10 + (unsigned)(*a++ - '0');
        while (*b >= '0' && *b <= '9')
            right = right * 10 + (unsigned)(*b++ - '0');

        if (left < right)
            return -1;
        if (left > right)
            return 1;
        if (*a != '\0')
            a++;
        if (*b != '\0')
            b++;
    }
    return 0;
}
