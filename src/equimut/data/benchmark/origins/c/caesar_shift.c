void caesar_shift(char *text, int shift)
{
    shift %= 26;
    if (shift < 0)
        shift += 26;
    if (shift == 0)
        return;

    for (int i = 0; text[i] != '\0'; i++) {
        char base = 0;

        if (text[i] >= 'a' && text[i] <= 'z')
            base = 'a';
        if (text[i] >= 'A' && text[i] <= 'Z')
            base = 'A';
        if (base != 0)
            text[i] = (char)(base + (text[i] - base + shift) % 26);
    }
}
