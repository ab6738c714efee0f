static String addMinutesToClock(int hour, int minute, int delta) {
    int day = 24 * 60;
    long total = hour * 60L + minute + delta;
    long wrapped = total % day;
    if (wrapped < 0) {
        wrapped += day;
    }
    int h = (int) (wrapped / 60);
    int m = (int) (wrapped % 60);
    String mark = "am";
    if (h >= 12) {
        mark = "pm";
        h -= 12;
    }
    if (h == 0) {
        h = 12;
    }
    return h + (m < 10 ? ":0" : ":") + m + mark;
}
