static boolean isValidDay(int month, int day, boolean leapYear) {
    if (month < 1 || month > 12) {
        return false;
    }
    if (day < 1 || day > 31) {
        return false;
    }
    if (day <= 28) {
        return true;
    }
    if (month == 2) {
        return leapYear && day == 29;
    }
    if (day == 31) {
        int fold = month > 7 ? month - 7 : month;
        return fold % 2 == 1;
    }
    return true;
}
