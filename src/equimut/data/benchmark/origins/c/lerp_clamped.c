double lerp_clamped(double from, double to, double t)
{
    double value = from;

    if (from == to)
        return from;
    if (t < 0.0)
        t = 0.0;
    if (t > 1.0)
        t = 1.0;

    if (t < 0.5)
        value = from + (to - from) * t;
    else
        value = to - (to - from) * (1.0 - t);
    return value;
}
