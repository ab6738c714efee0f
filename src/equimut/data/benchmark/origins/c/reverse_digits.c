/* Decimal digits in reverse order; zero when that does not fit an int. */
int reverse_digits(int number)
{
    long long reversed = 0;
    int rest = number;

    if (number > -10 && number < 10)
        return number;
    while (rest != 0) {
        reversed = reversed * 10 + rest % 10;
        rest /= 10;
    }
    if (reversed > INT_MAX || reversed < INT_MIN) {
        reversed = 0;
        rest = 0;
    }
    return (int)reversed;
}
