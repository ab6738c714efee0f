unsigned integer_sqrt(unsigned value)
{
    unsigned low = 0;
    unsigned high = 65535;
    unsigned root = 0;

    if (value < 2)
        return value;
    if (high > value)
        high = value;

    while (low <= high) {
        unsigned mid = (low + high) / 2;

        if (mid * mid <= value) {
            root = mid;
            low = mid + 1;
        } else {
            high = mid - 1;
        }
    }
    return root;
}
