double newton_sqrt(double x)
{
    double guess = 1.0;
    double next = 0.0;

    if (!(x > 1e-12))
        return 0.0;
    if (x > 1e12)
        x = 1e12;
    if (x > 1.0)
        guess = x;

    for (int i = 0; i < 60; i++) {
        next = 0.5 * (guess + x / guess);
        if (next == guess)
            break;
        guess = next;
    }
    return guess;
}
