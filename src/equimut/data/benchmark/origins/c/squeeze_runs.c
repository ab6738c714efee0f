/* Every run of one character becomes one character; the new length. */
size_t squeeze_runs(char *s)
{
    size_t write = 0;
    size_t read = 0;

    if (s[0] == '\0')
        return 0;
    for (read = 1; s[read] != '\0'; read++) {
        if (s[read] == s[write])
            continue;
        write++;
        s[write] = s[read];
    }
    write++;
    s[write] = '\0';
    return write;
}
