void print_bar_chart(const int *values, int n)
{
    int highest = 0;

    for (int i = 0; i < n; i++) {
        if (values[i] > highest)
            highest = values[i];
    }
    if (highest == 0)
        return;

    for (int i = 0; i < n; i++) {
        int stars = 0;

        if (values[i] > 0)
            stars = (int)((long long)values[i] * 20 / highest);
        if (stars > 20)
            stars = 20;
        printf("%2d ", i);
        for (int k = 0; k < stars; k++)
            printf("*");
        printf("\n");
    }
}
