static String commonPrefix(String[] names) {
    if (names == null || names.length == 0) {
        return "";
    }
    String prefix = names[0];
    int length = prefix.length();
    for (int n = 1; n < names.length; n++) {
        String name = names[n];
        if (name.length() < length) {
            length = name.length();
        }
        int same = 0;
        while (same < length && name.charAt(same) == prefix.charAt(same)) {
            same++;
        }
        length = same;
        if (length == 0) {
            break;
        }
    }
    return prefix.substring(0, length);
}
