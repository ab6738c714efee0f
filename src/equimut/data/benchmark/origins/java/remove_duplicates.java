/** Keeps the first of each value; returns how many are kept at the front. */
static int removeDuplicates(int[] list) {
    int kept = 0;
    for (int i = 0; i < list.length; i++) {
        boolean known = false;
        for (int j = 0; j < kept; j++) {
            if (list[j] == list[i]) {
                known = true;
                break;
            }
        }
        if (!known) {
            if (kept != i) {
                list[kept] = list[i];
            }
            kept++;
        }
    }
    for (int i = kept; i < list.length; i++) {
        list[i] = 0;
    }
    return kept;
}
