/* 0 is Sunday; the date is normalised first, so any int will do. */
int day_of_week(int year, int month, int day)
{
    static const int offsets[12] = {0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4};
    long long y = year;

    if (month < 1)
        month = 1;
    if (month > 12)
        month = 12;
    if (month < 3)
        y--;

    y %= 400;
    if (y < 0)
        y += 400;

    long long index = y + y / 4 - y / 100 + y / 400 + offsets[month - 1] + day;
    index %= 7;
    return (int)(index < 0 ? index + 7 : index);
}
