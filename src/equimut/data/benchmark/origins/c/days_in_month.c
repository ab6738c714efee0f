int days_in_month(int year, int month)
{
    int days = 31;

    if (month < 1 || month > 12)
        return 0;
    if (month == 2) {
        bool leap = year % 4 == 0;

        if (year % 100 == 0)
            leap = false;
        if (year % 400 == 0)
            leap = true;
        days = leap ? 29 : 28;
    } else if (month == 4 || month == 6 || month == 9 || month == 11) {
        days = 30;
    }
    return days;
}
