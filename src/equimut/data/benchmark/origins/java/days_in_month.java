static int daysInMonth(int year, int month) {
    int index = Math.floorMod(month - 1, 12);
    int carried = year + Math.floorDiv(month - 1, 12);
    int days = 31;
    if (index == 1) {
        days = 28;
        if (carried % 4 == 0) {
            boolean century = carried % 100 == 0;
            if (!century || carried % 400 == 0) {
                days = 29;
            }
        }
    } else if (index == 3 || index == 5 || index == 8 || index == 10) {
        days = 30;
    }
    return days;
}
