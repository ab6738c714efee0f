/** Day of the week, 0 = Monday, in the Gregorian calendar. */
static int weekdayOf(int year, int month, int day) {
    long y = year;
    int m = Math.max(1, Math.min(12, month));
    if (m < 3) {
        m += 12;
        y--;
    }
    long centuries = Math.floorDiv(y, 100L);
    long inCentury = Math.floorMod(y, 100L);
    long days = (long) day + 26 * (m + 1) / 10 + inCentury + inCentury / 4;
    days += Math.floorDiv(centuries, 4L) + 5 * centuries;
    int fromSaturday = (int) Math.floorMod(days, 7L);
    int fromMonday = fromSaturday + 5;
    if (fromMonday >= 7) {
        fromMonday -= 7;
    }
    return fromMonday;
}
