int title_case(char *text)
{
    int changed = 0;
    bool start = true;

    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        unsigned char wanted = c;

        if (!isalpha(c)) {
            if (c != '\'')
                start = true;
            continue;
        }
        wanted = (unsigned char)(start ? toupper(c) : tolower(c));
        if (wanted != c) {
            *text = (char)wanted;
            changed++;
        }
        start = false;
    }
    return changed;
}
