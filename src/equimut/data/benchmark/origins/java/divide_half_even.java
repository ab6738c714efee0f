/** Quotient rounded to the nearest integer, ties to the even neighbour. */
static int divideHalfEven(int amount, int parts) {
    if (parts == 0) {
        throw new ArithmeticException("no parts");
    }
    long dividend = amount;
    long divisor = parts;
    if (divisor < 0) {
        dividend = -dividend;
        divisor = -divisor;
    }
    long floor = Math.floorDiv(dividend, divisor);
    long rest = dividend - floor * divisor;
    long twice = 2 * rest;
    if (twice > divisor) {
        floor++;
    } else if (twice == divisor && floor % 2 != 0) {
        floor++;
    }
    return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, floor));
}
