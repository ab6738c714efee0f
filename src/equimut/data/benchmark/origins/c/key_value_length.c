/* Length of the value in "key = value", without the blanks around it. */
int key_value_length(const char *line)
{
    int equals = -1;
    int end = 0;
    int start = 0;

    if (line[0] == '#' || line[0] == '\0')
        return 0;
    while (line[end] != '\0') {
        if (line[end] == '=' && equals < 0)
            equals = end;
        end++;
    }
    if (equals <= 0)
        return -1;

    start = equals + 1;
    while (start < end && isspace((unsigned char)line[start]))
        start++;
    while (end > start && isspace((unsigned char)line[end - 1]))
        end--;
    return end - start;
}
