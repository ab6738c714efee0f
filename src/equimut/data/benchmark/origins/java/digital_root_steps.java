static int digitalRootSteps(int number) {
    long rest = number;
    if (rest < 0) {
        rest = -rest;
    }
    int steps = 0;
    long sum = rest;
    while (rest >= 10) {
        sum = 0;
        while (rest > 0) {
            sum += rest % 10;
            rest /= 10;
        }
        rest = sum;
        steps++;
    }
    return steps * 10 + (int) rest;
}
