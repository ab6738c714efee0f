/** Edit distance of two words, or limit + 1 when it is larger than the limit. */
static int editDistanceWithin(String a, String b, int limit) {
    int cap = Math.max(0, Math.min(limit, 1000));
    if (Math.abs(a.length() - b.length()) > cap) {
        return cap + 1;
    }
    if (a.equals(b)) {
        return 0;
    }
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
        row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
        int diagonal = row[0];
        row[0] = i;
        int best = row[0];
        for (int j = 1; j <= b.length(); j++) {
            int above = row[j];
            int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
            row[j] = Math.min(diagonal + change, Math.min(above, row[j - 1]) + 1);
            diagonal = above;
            best = Math.min(best, row[j]);
        }
        if (best > cap) {
            return cap + 1;
        }
    }
    return Math.min(row[b.length()], cap + 1);
}
