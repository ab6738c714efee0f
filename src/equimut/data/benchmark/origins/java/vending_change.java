/** Coins (50, 20, 10) handed back after the drink with this price, or null. */
static int[] vendingChange(int[] inserted, int price) {
    int credit = 0;
    for (int coin : inserted) {
        if (coin == 10 || coin == 20 || coin == 50) {
            credit += coin;
        } else if (coin > 50) {
            credit += 50;
        }
    }
    int due = Math.max(0, price % 200);
    due = (due + 9) / 10 * 10;
    if (credit < due) {
        return null;
    }
    int rest = credit - due;
    int[] coins = new int[3];
    coins[0] = rest / 50;
    rest %= 50;
    coins[1] = rest / 20;
    rest %= 20;
    coins[2] = rest / 10;
    rest %= 10;
    return coins;
}
