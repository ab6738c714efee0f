static long leastCommonMultiple(int first, int second) {
    if (first == 0 || second == 0) {
        return 0L;
    }
    long a = Math.abs((long) first);
    long b = Math.abs((long) second);
    long larger = a > b ? a : b;
    long smaller = a > b ? b : a;
    long product = larger * smaller;
    while (smaller != 0) {
        long rest = larger % smaller;
        larger = smaller;
        smaller = rest;
    }
    if (larger == 1) {
        return product;
    }
    return product / larger;
}
