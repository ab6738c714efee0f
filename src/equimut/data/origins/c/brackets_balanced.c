/* -1 when every bracket is matched, else the place of the first fault. */
int brackets_balanced(const char *s)
{
    char stack[32];
    int depth = 0;
    int i;

    for (i = 0; s[i] != '\0'; i++) {
        char expected = 0;

        switch (s[i]) {
        case '(': expected = ')'; break;
        case '[': expected = ']'; break;
        case '{': expected = '}'; break;
        case ')':
        case ']':
        case '}':
            if (depth == 0 || stack[depth - 1] != s[i])
                return i;
            depth--;
            break;
        default:
            break;
        }
        if (expected != 0) {
            if (depth >= 32)
                return i;
            stack[depth++] = expected;
        }
    }
    return depth == 0 ? -1 : i;
}
