/** '?' stands for one character, '*' for any number of them. */
static boolean wildcardMatch(String pattern, String text) {
    int p = 0;
    int t = 0;
    int star = -1;
    int resume = 0;
    while (t < text.length()) {
        if (p < pattern.length() && pattern.charAt(p) == '*') {
            star = p;
            resume = t;
            p++;
        } else if (p < pattern.length()
                && (pattern.charAt(p) == '?' || pattern.charAt(p) == text.charAt(t))) {
            p++;
            t++;
        } else if (star >= 0) {
            p = star + 1;
            resume++;
            t = resume;
        } else {
            return false;
        }
    }
    while (p < pattern.length() && pattern.charAt(p) == '*') {
        p++;
    }
    return p == pattern.length();
}
