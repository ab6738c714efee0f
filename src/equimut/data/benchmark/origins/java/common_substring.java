static String commonSubstring(String first, String second) {
    int best = 0;
    int bestEnd = 0;
    int[] previous = new int[second.length() + 1];
    for (int i = 1; i <= first.length(); i++) {
        int[] row = new int[second.length() + 1];
        for (int j = 1; j <= second.length(); j++) {
            if (first.charAt(i - 1) != second.charAt(j - 1)) {
                row[j] = 0;
                continue;
            }
            row[j] = previous[j - 1] + 1;
            if (row[j] > best) {
                best = row[j];
                bestEnd = i;
            }
        }
        previous = row;
    }
    return first.substring(bestEnd - best, bestEnd);
}
