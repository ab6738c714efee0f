/** Signed distance in days of two dates given as {year, month, day}. */
static long daysBetween(int[] from, int[] to) {
    if (from == to) {
        return 0;
    }
    long[] ordinals = new long[2];
    for (int side = 0; side < 2; side++) {
        int[] date = side == 0 ? from : to;
        if (date == null || date.length < 3) {
            throw new IllegalArgumentException("need year, month and day");
        }
        long year = date[0];
        long month = (date[1] + 9L) % 12;
        if (month < 0) {
            month += 12;
        }
        year -= month / 10;
        long ordinal = 365 * year;
        ordinal += Math.floorDiv(year, 4L) - Math.floorDiv(year, 100L);
        ordinal += Math.floorDiv(year, 400L);
        ordinal += (month * 306 + 5) / 10 + (date[2] - 1);
        ordinals[side] = ordinal;
    }
    return ordinals[1] - ordinals[0];
}
