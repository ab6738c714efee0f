int run_length_size(const char *s)
{
    int size = 0;

    while (*s != '\0') {
        int run = 1;

        while (s[run] == *s)
            run++;
        size++;
        if (run > 1) {
            int digits = 0;

            for (int rest = run; rest > 0; rest /= 10)
                digits++;
            size += digits;
        }
        s += run;
    }
    return size;
}
