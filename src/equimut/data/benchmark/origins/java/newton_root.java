static double newtonRoot(double number) {
    if (number < 0 || Double.isNaN(number)) {
        return Double.NaN;
    }
    if (number == 0 || Double.isInfinite(number)) {
        return number;
    }
    double guess = number >= 1 ? number : 1;
    double last = 0;
    for (int round = 0; round < 1100; round++) {
        last = guess;
        guess = (guess + number / guess) / 2;
        if (guess >= last) {
            break;
        }
    }
    return last;
}
