int floor_mod(int value, int modulus)
{
    long long rest = 0;

    if (modulus == 0)
        return 0;
    rest = (long long)value % modulus;
    if (rest != 0) {
        bool rest_negative = rest < 0;
        bool modulus_negative = modulus < 0;

        if (rest_negative != modulus_negative)
            rest += modulus;
    }
    return (int)rest;
}
