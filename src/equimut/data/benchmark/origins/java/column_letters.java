/** Spreadsheet name of a zero-based column: A, B, ..., Z, AA, AB. */
static String columnLetters(int column) {
    if (column < 0) {
        return "";
    }
    String name = "";
    int rest = column;
    while (rest >= 0) {
        int letter = rest % 26;
        name = (char) ('A' + letter) + name;
        rest = rest / 26 - 1;
    }
    return name;
}
