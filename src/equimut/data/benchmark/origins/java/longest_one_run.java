static int longestOneRun(int word) {
    int longest = 0;
    int run = 0;
    int start = -1;
    for (int bit = 0; bit < 32; bit++) {
        if ((word >>> bit & 1) == 1) {
            if (run == 0) {
                start = bit;
            }
            run++;
            if (run >= longest) {
                longest = run;
            }
        } else {
            run = 0;
            start = -1;
        }
    }
    return longest;
}
