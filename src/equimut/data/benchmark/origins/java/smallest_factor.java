static int smallestFactor(int number) {
    int n = number == Integer.MIN_VALUE ? Integer.MAX_VALUE : Math.abs(number);
    if (n < 2) {
        return n;
    }
    if (n % 2 == 0) {
        return 2;
    }
    if (n % 3 == 0) {
        return 3;
    }
    int step = 4;
    for (int candidate = 5; (long) candidate * candidate <= n; candidate += step) {
        if (n % candidate == 0) {
            return candidate;
        }
        step = 6 - step;
    }
    return n;
}
