/** First index with equal sums on both sides, or -1. */
static int balanceIndex(int[] weights) {
    long right = 0;
    for (int weight : weights) {
        right += weight;
    }
    long left = 0;
    int index = 0;
    while (index < weights.length) {
        right -= weights[index];
        if (left == right) {
            return index;
        }
        left += weights[index];
        index++;
    }
    return -1;
}
