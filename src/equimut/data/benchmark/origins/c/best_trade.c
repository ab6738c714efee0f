long long best_trade(const int *prices, int n, int *buy_day, int *sell_day)
{
    long long best = 0;
    int cheapest = 0;

    *buy_day = 0;
    *sell_day = 0;
    for (int day = 1; day < n; day++) {
        long long profit = (long long)prices[day] - prices[cheapest];

        if (profit > best) {
            best = profit;
            *buy_day = cheapest;
            *sell_day = day;
        }
        if (prices[day] < prices[cheapest])
            cheapest = day;
    }
    return best;
}
