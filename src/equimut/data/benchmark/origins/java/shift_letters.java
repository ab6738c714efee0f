static String shiftLetters(String text, int shift) {
    int turn = shift % 26;
    if (turn < 0) {
        turn += 26;
    }
    if (turn == 0) {
        return text;
    }
    char[] letters = text.toCharArray();
    for (int i = 0; i < letters.length; i++) {
        char c = letters[i];
        if (c >= 'a' && c <= 'z') {
            letters[i] = (char) ('a' + (c - 'a' + turn) % 26);
        } else if (c >= 'A' && c <= 'Z') {
            letters[i] = (char) ('A' + (c - 'A' + turn) % 26);
        }
    }
    return new String(letters);
}
