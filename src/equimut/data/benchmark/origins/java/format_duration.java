/** Writes seconds as for example 1d02h03m04s, leaving out leading zero units. */
static String formatDuration(int seconds) {
    long left = Math.abs((long) seconds);
    int[] units = {86400, 3600, 60, 1};
    char[] letters = {'d', 'h', 'm', 's'};
    StringBuilder text = new StringBuilder();
    if (seconds < 0) {
        text.append('-');
    }
    boolean started = false;
    for (int u = 0; u < units.length; u++) {
        long count = left / units[u];
        left -= count * units[u];
        boolean last = u == units.length - 1;
        if (count == 0 && !started && !last) {
            continue;
        }
        if (started && count < 10) {
            text.append('0');
        }
        text.append(count).append(letters[u]);
        started = true;
    }
    return text.toString();
}
