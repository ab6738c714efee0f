/** Shares an amount of cents so that no two shares differ by more than one. */
static int[] splitBill(int cents, int people) {
    int guests = Math.min(Math.max(people, 1), 50);
    int[] shares = new int[guests];
    boolean refund = cents < 0;
    long open = Math.abs((long) cents);
    int even = (int) (open / guests);
    int extra = (int) (open % guests);
    for (int g = 0; g < guests; g++) {
        int share = even;
        if (g < extra) {
            share++;
        }
        shares[g] = refund ? -share : share;
        open -= share;
    }
    return shares;
}
