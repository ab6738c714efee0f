/* -1 when every bracket is matched, else the first fault; four levels at most. */
int brackets_balanced(const char *s)
{
    char stack[4] = {0};
    int depth = 0;
    int i = 0;

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
            if (depth >= 4)
                return i;
            stack[depth++] = expected;
        }
    }
    return depth == 0 ? -1 : i;
}
