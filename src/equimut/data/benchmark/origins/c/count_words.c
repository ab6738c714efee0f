int count_words(const char *text, int *longest)
{
    int words = 0;
    int length = 0;
    int best = 0;

    for (int i = 0;; i++) {
        char c = text[i];

        if (c == ' ' || c == '\t' || c == '\n' || c == '\0') {
            if (length > 0)
                words++;
            if (length > best)
                best = length;
            length = 0;
        } else {
            length++;
        }
        if (c == '\0')
            break;
    }
    *longest = best;
    return words;
}
