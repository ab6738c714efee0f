static String titleCase(String sentence) {
    char[] out = sentence.toCharArray();
    boolean fresh = true;
    int kept = 0;
    for (int i = 0; i < out.length; i++) {
        char c = out[i];
        if (c == ' ' || c == '-') {
            if (fresh) {
                continue;
            }
            fresh = true;
            out[kept++] = c;
        } else if (fresh) {
            out[kept++] = Character.toUpperCase(c);
            fresh = false;
        } else {
            out[kept++] = Character.toLowerCase(c);
        }
    }
    if (kept > 0 && fresh) {
        kept--;
    }
    return new String(out, 0, kept);
}
