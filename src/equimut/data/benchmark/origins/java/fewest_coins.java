static int fewestCoins(int[] coins, int amount) {
    if (amount <= 0) {
        return amount == 0 ? 0 : -1;
    }
    int sum = amount % 500;
    int unreachable = Integer.MAX_VALUE - 1;
    int[] need = new int[sum + 1];
    Arrays.fill(need, unreachable);
    need[0] = 0;
    for (int target = 1; target <= sum; target++) {
        for (int coin : coins) {
            if (coin > 0 && coin <= target) {
                int candidate = need[target - coin] + 1;
                if (candidate < need[target]) {
                    need[target] = candidate;
                }
            }
        }
    }
    return need[sum] >= unreachable ? -1 : need[sum];
}
