/* Tax in cents on an income in whole units. */
long long progressive_tax(int income)
{
    const int limits[4] = {0, 10000, 40000, 90000};
    const int percents[4] = {0, 15, 28, 42};
    long long tax = 0;

    if (income <= 0)
        return 0;
    for (int band = 0; band < 4; band++) {
        long long upper = band < 3 ? limits[band + 1] : income;

        if (income <= limits[band])
            break;
        if (upper > income)
            upper = income;
        tax += (upper - limits[band]) * percents[band];
    }
    return tax;
}
