/** Seconds of "1h30m", "45s" or "90", at most a day; -1 when malformed. */
static int parseDuration(String text) {
    if (text == null || text.isEmpty()) {
        return -1;
    }
    int total = 0;
    int number = 0;
    boolean pending = false;
    for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        if (c >= '0' && c <= '9') {
            number = number * 10 + (c - '0');
            if (number > 999) {
                return -1;
            }
            pending = true;
            continue;
        }
        if (!pending) {
            return -1;
        }
        if (c == 'h') {
            total += number * 3600;
        } else if (c == 'm') {
            total += number * 60;
        } else if (c == 's') {
            total += number;
        } else {
            return -1;
        }
        number = 0;
        pending = false;
    }
    total += number;
    return Math.min(total, 86400);
}
