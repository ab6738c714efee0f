static int integerCubeRoot(long number) {
    boolean negative = number < 0;
    long size = negative ? -number : number;
    if (size < 0) {
        return -2097152;
    }
    long low = 0;
    long high = 2097152;
    while (high - low > 1) {
        long guess = (low + high) / 2;
        if (guess * guess * guess <= size) {
            low = guess;
        } else {
            high = guess;
        }
    }
    return (int) (negative ? -low : low);
}
