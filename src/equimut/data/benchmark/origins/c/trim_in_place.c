int trim_in_place(char *s)
{
    int first = 0;
    int end = 0;

    while (s[end] != '\0')
        end++;
    while (first < end && isspace((unsigned char)s[first]))
        first++;
    while (end > first && isspace((unsigned char)s[end - 1]))
        end--;

    int length = end - first;

    if (first > 0) {
        for (int i = 0; i < length; i++)
            s[i] = s[first + i];
    }
    s[length] = '\0';
    return length;
}
