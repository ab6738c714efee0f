bool glob_match(const char *pattern, const char *text)
{
    if (*pattern == '\0')
        return *text == '\0';
    if (*pattern == '*') {
        while (pattern[1] == '*')
            pattern++;
        if (pattern[1] == '\0')
            return true;
        for (; *text != '\0'; text++) {
            if (glob_match(pattern + 1, text))
                return true;
        }
        return glob_match(pattern + 1, text);
    }
    if (*text == '\0')
        return false;
    if (*pattern != '?' && *pattern != *text)
        return false;
    return glob_match(pattern + 1, text + 1);
}
