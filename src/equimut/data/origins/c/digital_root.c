int digital_root(long long number)
{
    unsigned long long rest;
    int root = 0;

    rest = number < 0 ? 0ull - (unsigned long long)number : (unsigned long long)number;
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
