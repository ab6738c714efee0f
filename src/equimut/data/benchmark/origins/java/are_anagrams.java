static boolean areAnagrams(String one, String other) {
    if (one == null || other == null) {
        return one == other;
    }
    if (one.length() != other.length()) {
        return false;
    }
    int[] balance = new int[128];
    int uneven = 0;
    for (int i = 0; i < one.length(); i++) {
        int up = one.charAt(i) & 127;
        int down = other.charAt(i) & 127;
        if (balance[up]++ >= 0) {
            uneven++;
        } else {
            uneven--;
        }
        if (balance[down]-- <= 0) {
            uneven++;
        } else {
            uneven--;
        }
    }
    return uneven == 0;
}
