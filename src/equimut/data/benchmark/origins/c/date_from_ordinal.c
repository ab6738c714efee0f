/* Month * 100 + day of the n-th day of a year; days outside wrap to its ends. */
int date_from_ordinal(bool leap, int ordinal)
{
    int lengths[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year_length = 365;
    int month = 0;

    if (leap) {
        lengths[1] = 29;
        year_length = 366;
    }
    if (ordinal < 1)
        ordinal = 1;
    if (ordinal > year_length)
        ordinal = year_length;

    while (month < 11 && ordinal > lengths[month]) {
        ordinal -= lengths[month];
        month++;
    }
    return (month + 1) * 100 + ordinal;
}
