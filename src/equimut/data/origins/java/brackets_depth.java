/** Greatest nesting depth of well-formed brackets, or -1. */
static int bracketsDepth(String code) {
    char[] open = new char[code.length()];
    int depth = 0;
    int deepest = 0;
    for (int i = 0; i < code.length(); i++) {
        char c = code.charAt(i);
        if (c == '(' || c == '[' || c == '{') {
            open[depth] = c;
            depth++;
            deepest = Math.max(deepest, depth);
        } else if (c == ')' || c == ']' || c == '}') {
            if (depth == 0) {
                return -1;
            }
            depth--;
            int apart = c - open[depth];
            if (apart < 1 || apart > 2) {
                return -1;
            }
        }
    }
    return depth == 0 ? deepest : -1;
}
