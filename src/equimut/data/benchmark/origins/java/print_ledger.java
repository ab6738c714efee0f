/** Prints the balance after each booking; bookings that overdraw are refused. */
static long printLedger(int opening, int[] bookings) {
    long balance = Math.max(0, opening);
    int refused = 0;
    for (int booking : bookings) {
        if (booking == 0) {
            continue;
        }
        long next = balance + booking;
        if (next < 0) {
            refused++;
            System.out.println("refused " + booking);
        } else {
            balance = next;
            System.out.println(balance);
        }
    }
    if (refused > 0) {
        System.out.println(refused + " refused");
    }
    return balance;
}
