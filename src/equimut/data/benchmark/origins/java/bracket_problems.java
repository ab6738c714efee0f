/** Counts closing brackets that do not fit and opening ones never closed. */
static int bracketProblems(String code) {
    if (code.isEmpty()) {
        return 0;
    }
    char[] open = new char[code.length()];
    int depth = 0;
    int problems = 0;
    for (int i = 0; i < code.length(); i++) {
        char c = code.charAt(i);
        if (c == '(' || c == '[' || c == '{') {
            open[depth] = c;
            depth++;
        } else if (c == ')' || c == ']' || c == '}') {
            if (depth == 0) {
                problems++;
                continue;
            }
            depth--;
            int apart = c - open[depth];
            if (apart < 1 || apart > 2) {
                problems++;
            }
        }
    }
    return problems + depth;
}
