/** Ignores case and everything that is neither a letter nor a digit. */
static boolean isLoosePalindrome(String phrase) {
    int front = 0;
    int back = phrase.length() - 1;
    while (front < back) {
        char a = Character.toLowerCase(phrase.charAt(front));
        char b = Character.toLowerCase(phrase.charAt(back));
        if (!Character.isLetterOrDigit(a)) {
            front++;
        } else if (!Character.isLetterOrDigit(b)) {
            back--;
        } else if (a != b) {
            return false;
        } else {
            front++;
            back--;
        }
    }
    return true;
}
