uint32_t next_power_of_two(uint32_t value)
{
    if (value == 0)
        return 1;
    if ((value & (value - 1)) == 0)
        return value;
    if (value > 0x80000000u)
        return 0x80000000u;

    value--;
    for (int shift = 1; shift <= 16; shift *= 2)
        value |= value >> shift;
    return value + 1;
}
