int saturating_add(int a, int b)
{
    if (a == 0)
        return b;
    if (b == 0)
        return a;

    long long sum = (long long)a + b;

    if (a > 0 && b > 0 && sum > INT_MAX)
        sum = INT_MAX;
    if (a < 0 && b < 0 && sum < INT_MIN)
        sum = INT_MIN;
    return (int)sum;
}
