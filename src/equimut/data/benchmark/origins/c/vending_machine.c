/* Credit left after a string of events: n, d, q insert coins, b buys, r refunds. */
int vending_machine(const char *events, int price)
{
    int credit = 0;
    int sold = 0;

    if (price < 5)
        price = 5;
    if (price > 40)
        price = 40;

    for (; *events != '\0'; events++) {
        int coin = 0;

        if (*events == 'n')
            coin = 5;
        else if (*events == 'd')
            coin = 10;
        else if (*events == 'q')
            coin = 25;
        credit += coin;
        if (credit > 50)
            credit = 50;

        if (*events == 'b' && credit >= price) {
            credit -= price;
            sold++;
        } else if (*events == 'r') {
            credit = 0;
        }
    }
    return sold * 1000 + credit;
}
