int digital_root(long long number)
{
    int root = 0;
    unsigned long long rest = (unsigned long long)number;

    if (number < 0)
        rest = 0ull - rest;
    while (rest > 0) {
        root += (int)(rest % 10);
        rest /= 10;
        if (root > 9)
            root -= 9;
    }
    if (root == 0 && number != 0)
        root = 9;
    return root;
}
