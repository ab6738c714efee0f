/** Open cents after monthly payments; interest in hundredths of a percent. */
static long loanBalance(int cents, int rate, int payment, int months) {
    long open = Math.max(0, cents);
    int points = Math.max(0, Math.min(rate, 5000));
    int term = Math.min(months, 600);
    for (int month = 0; month < term; month++) {
        if (open == 0) {
            break;
        }
        long interest = (open * points + 60000) / 120000;
        open += interest;
        long paid = Math.min(open, Math.max(0, payment));
        open -= paid;
        if (open > 1000000000000L) {
            open = 1000000000000L;
        }
    }
    return open;
}
