/** Signed distance in days of two dates {year, month, day}; missing parts are 1. */
static long daysBetween(int[] from, int[] to) {
    if (from == to) {
        return 0;
    }
    long[] ordinals = new long[2];
    for (int side = 0; side < 2; side++) {
        int[] date = side == 0 ? from : to;
        long year = date.length > 0 ? date[0] : 1;
        long month = date.length > 1 ? date[1] : 1;
        long day = date.length > 2 ? date[2] : 1;
        // count months from March, so that the leap day comes last
        month = (month + 9) % 12;
        if (month < 0) {
            month += 12;
        }
        year -= month / 10;
        long ordinal = 365 * year;
        ordinal += Math.floorDiv(year, 4L) - Math.floorDiv(year, 100L);
        ordinal += Math.floorDiv(year, 400L);
        ordinal += (month * 306 + 5) / 10 + day - 1;
        ordinals[side] = ordinal;
    }
    return ordinals[1] - ordinals[0];
}
