static String longestPalindrome(String word) {
    if (word == null || word.length() == 0) {
        return "";
    }
    int bestStart = 0;
    int bestLength = 1;
    for (int centre = 0; centre < word.length(); centre++) {
        for (int extra = 0; extra <= 1; extra++) {
            int left = centre;
            int right = centre + extra;
            while (left >= 0 && right < word.length() && word.charAt(left) == word.charAt(right)) {
                left--;
                right++;
            }
            int length = right - left - 1;
            if (length > bestLength) {
                bestLength = length;
                bestStart = left + 1;
            }
        }
    }
    return word.substring(bestStart, bestStart + bestLength);
}
