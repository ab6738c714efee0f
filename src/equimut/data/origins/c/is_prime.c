bool is_prime(unsigned number)
{
    uint64_t divisor = 5;

    if (number < 2)
        return false;
    if (number < 4)
        return true;
    if (number % 2 == 0 || number % 3 == 0)
        return false;

    while (divisor * divisor <= number) {
        if (number % divisor == 0)
            return false;
        if (number % (divisor + 2) == 0)
            return false;
        divisor += 6;
    }
    return true;
}
