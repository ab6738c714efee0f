/* The check character for the first nine digits found; '?' with fewer. */
char isbn10_check_digit(const char *isbn)
{
    int weight = 10;
    int sum = 0;
    int check = 0;

    for (; *isbn != '\0' && weight > 1; isbn++) {
        if (*isbn < '0' || *isbn > '9')
            continue;
        sum += weight * (*isbn - '0');
        weight--;
    }
    if (weight != 1)
        return '?';
    check = (11 - sum % 11) % 11;
    if (check == 10)
        return 'X';
    return (char)('0' + check);
}
