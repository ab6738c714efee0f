size_t strip_block_comments(char *code)
{
    size_t out = 0;
    size_t in = 0;
    bool comment = false;
    char quote = 0;

    while (code[in] != '\0') {
        char c = code[in];

        if (comment) {
            if (c == '*' && code[in + 1] == '/') {
                comment = false;
                in++;
            }
            in++;
            continue;
        }
        if (quote == 0 && c == '/' && code[in + 1] == '*') {
            comment = true;
            in += 2;
            continue;
        }
        if (c == '"' || c == '\'') {
            if (quote == 0)
                quote = c;
            else if (quote == c)
                quote = 0;
        }
        code[out++] = c;
        in++;
    }
    code[out] = '\0';
    return out;
}
