/** The field with the given index of one CSV line, quotes resolved, or null. */
static String csvField(String line, int wanted) {
    if (line == null || wanted < 0) {
        return null;
    }
    int field = 0;
    boolean quoted = false;
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < line.length(); i++) {
        char c = line.charAt(i);
        if (quoted) {
            if (c != '"') {
                text.append(c);
            } else if (i + 1 < line.length() && line.charAt(i + 1) == '"') {
                text.append('"');
                i++;
            } else {
                quoted = false;
            }
        } else if (c == '"') {
            quoted = true;
        } else if (c == ',') {
            if (field == wanted) {
                return text.toString();
            }
            field++;
            text.setLength(0);
        } else {
            text.append(c);
        }
    }
    return field == wanted ? text.toString() : null;
}
