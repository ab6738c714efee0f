/* Prints the number in base 2 to 36 and returns how many digits it took. */
int print_in_base(int number, int base)
{
    char digits[33] = {0};
    unsigned rest = number < 0 ? 0u - (unsigned)number : (unsigned)number;
    int used = 0;

    if (base < 2)
        base = 2;
    if (base > 36)
        base = 36;

    do {
        int digit = (int)(rest % (unsigned)base);

        digits[used++] = (char)(digit < 10 ? '0' + digit : 'a' + digit - 10);
        rest /= (unsigned)base;
    } while (rest > 0 && used < 32);

    if (number < 0)
        printf("-");
    for (int i = used - 1; i >= 0; i--)
        printf("%c", digits[i]);
    printf("\n");
    return used;
}
