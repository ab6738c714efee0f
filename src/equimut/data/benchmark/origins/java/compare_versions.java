static int compareVersions(String left, String right) {
    if (left.equals(right)) {
        return 0;
    }
    int i = 0;
    int j = 0;
    while (i < left.length() || j < right.length()) {
        long a = 0;
        while (i < left.length() && left.charAt(i) != '.') {
            a = a * 10 + Math.max(0, Character.digit(left.charAt(i), 10));
            i++;
        }
        long b = 0;
        while (j < right.length() && right.charAt(j) != '.') {
            b = b * 10 + Math.max(0, Character.digit(right.charAt(j), 10));
            j++;
        }
        if (a != b) {
            return a < b ? -1 : 1;
        }
        i++;
        j++;
    }
    return 0;
}
