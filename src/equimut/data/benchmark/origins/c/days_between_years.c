/* Days from 1 January of one year to 1 January of another, either way round. */
long days_between_years(int from, int to)
{
    long long first = from;
    long long last = to;

    if (first > last) {
        first = to;
        last = from;
    }
    if (first < 1)
        first = 1;
    if (last < first)
        last = first;

    long long days = 365 * (last - first);
    days += (last - 1) / 4 - (first - 1) / 4;
    days -= (last - 1) / 100 - (first - 1) / 100;
    days += (last - 1) / 400 - (first - 1) / 400;
    return (long)(from <= to ? days : -days);
}
