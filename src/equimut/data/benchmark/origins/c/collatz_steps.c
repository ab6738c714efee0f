int collatz_steps(unsigned start, unsigned *peak)
{
    uint64_t value = start;
    uint64_t highest = start;
    int steps = 0;

    *peak = start;
    if (start == 0)
        return -1;

    while (value != 1 && steps < 200) {
        if (value % 2 == 0)
            value /= 2;
        else
            value = 3 * value + 1;
        if (value > highest)
            highest = value;
        steps++;
    }
    if (highest > UINT_MAX)
        highest = UINT_MAX;
    *peak = (unsigned)highest;
    return steps;
}
