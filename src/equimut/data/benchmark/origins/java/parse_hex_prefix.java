/** Value of the leading hexadecimal digits, at most four of them. */
static long parseHexPrefix(String text) {
    long value = 0;
    int start = 0;
    int limit = text.length();
    if (limit >= 2 && text.charAt(0) == '0' && (text.charAt(1) | 32) == 'x') {
        start = 2;
    }
    int end = Math.min(limit, start + 4);
    for (int i = start; i < end; i++) {
        char c = text.charAt(i);
        int nibble;
        if (c >= '0' && c <= '9') {
            nibble = c - '0';
        } else if (c >= 'a' && c <= 'f') {
            nibble = c - 'a' + 10;
        } else if (c >= 'A' && c <= 'F') {
            nibble = c - 'A' + 10;
        } else {
            break;
        }
        value = (value << 4) | nibble;
    }
    return value;
}
