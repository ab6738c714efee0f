/** Looks up a key in "a=1; b=2" style settings; the last one wins. */
static String settingValue(String settings, String key) {
    String found = "";
    int start = 0;
    int size = settings.length();
    while (start < size) {
        int end = settings.indexOf(';', start);
        if (end < 0) {
            end = size;
        }
        int equals = settings.indexOf('=', start);
        if (equals >= 0 && equals < end) {
            String name = settings.substring(start, equals).trim();
            if (name.equals(key)) {
                found = settings.substring(equals + 1, end).trim();
            }
        }
        start = end + 1;
    }
    return found;
}
