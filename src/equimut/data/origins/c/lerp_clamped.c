double lerp_clamped(double from, double to, double t)
{
    double value;

    if (t <= 0.0)
        return from;
    if (t >= 1.0)
        return to;

    value = from + (to - from) * t;
    if (from <= to) {
        if (value < from)
            value = from;
        if (value > to)
            value = to;
    } else {
        if (value > from)
            value = from;
        if (value < to)
            value = to;
    }
    return value;
}
