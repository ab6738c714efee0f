int fewest_coins(const int *coins, int n, int amount)
{
    int need[101] = {0};
    const int unreachable = 1000;

    if (amount < 0)
        return -1;
    if (amount > 100)
        amount = 100;

    need[0] = 0;
    for (int sum = 1; sum <= amount; sum++) {
        need[sum] = unreachable;
        for (int c = 0; c < n; c++) {
            if (coins[c] <= 0 || coins[c] > sum)
                continue;
            if (need[sum - coins[c]] + 1 < need[sum])
                need[sum] = need[sum - coins[c]] + 1;
        }
    }
    return need[amount] >= unreachable ? -1 : need[amount];
}
