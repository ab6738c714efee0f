/* "1h30m5s" in seconds; a bare number means seconds, other text is skipped. */
long parse_duration(const char *text)
{
    long total = 0;
    long number = 0;
    const long limit = 1000000;

    for (const char *p = text; *p != '\0'; p++) {
        if (isdigit((unsigned char)*p)) {
            number = number * 10 + (*p - '0');
            if (number > limit)
                number = limit;
            continue;
        }
        switch (*p) {
        case 'd': total += number * 86400; break;
        case 'h': total += number * 3600; break;
        case 'm': total += number * 60; break;
        case 's': total += number; break;
        default: continue;
        }
        number = 0;
    }
    total += number;
    return total;
}
