/** Number of words and the length of the longest one. */
static int[] countWords(String text) {
    int words = 0;
    int longest = 0;
    int length = 0;
    boolean inside = false;
    for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        boolean gap = c == ' ' || c == '\t' || c == '\n';
        if (gap) {
            inside = false;
            length = 0;
        } else {
            if (!inside) {
                words++;
                inside = true;
            }
            length++;
            if (length > longest) {
                longest = length;
            }
        }
    }
    return new int[] {words, longest};
}
