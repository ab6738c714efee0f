int shared_prefix_length(const char *a, const char *b, bool ignore_case)
{
    int i = 0;

    if (a == b)
        return (int)strlen(a);
    while (a[i] != '\0' && b[i] != '\0') {
        int x = (unsigned char)a[i];
        int y = (unsigned char)b[i];

        if (x != y && ignore_case) {
            x = tolower(x);
            y = tolower(y);
        }
        if (x != y)
            break;
        i++;
    }
    return i;
}
