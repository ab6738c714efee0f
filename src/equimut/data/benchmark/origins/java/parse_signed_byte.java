/** Reads a number from -128 to 127; anything else gives the fallback. */
static int parseSignedByte(String text, int fallback) {
    if (text == null) {
        return fallback;
    }
    String body = text.trim();
    int length = body.length();
    int at = 0;
    boolean minus = false;
    if (at < length && (body.charAt(at) == '-' || body.charAt(at) == '+')) {
        minus = body.charAt(at) == '-';
        at++;
    }
    if (at >= length) {
        return fallback;
    }
    int value = 0;
    while (at < length) {
        int digit = body.charAt(at) - '0';
        if (digit < 0 || digit > 9) {
            return fallback;
        }
        value = value * 10 + digit;
        if (value > 128) {
            return fallback;
        }
        at++;
    }
    if (minus) {
        value = -value;
    }
    if (value > Byte.MAX_VALUE) {
        return fallback;
    }
    return value;
}
