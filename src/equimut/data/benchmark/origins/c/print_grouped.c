/* Prints a number with a comma between groups of three digits. */
void print_grouped(long long number)
{
    char reversed[32] = {0};
    int used = 0;
    int digits = 0;
    unsigned long long rest = (unsigned long long)number;

    if (number < 0)
        rest = 0ull - rest;
    do {
        if (digits > 0 && digits % 3 == 0)
            reversed[used++] = ',';
        reversed[used++] = (char)('0' + rest % 10);
        rest /= 10;
        digits++;
    } while (rest != 0);
    if (number < 0)
        reversed[used++] = '-';

    for (; used > 0; used--)
        putchar(reversed[used - 1]);
    putchar('\n');
}
