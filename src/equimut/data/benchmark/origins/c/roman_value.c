int roman_value(const char *numeral)
{
    int total = 0;
    int previous = 0;
    int length = 0;

    while (numeral[length] != '\0')
        length++;

    for (int i = length - 1; i >= 0; i--) {
        int digit = 0;

        switch (toupper((unsigned char)numeral[i])) {
        case 'I': digit = 1; break;
        case 'V': digit = 5; break;
        case 'X': digit = 10; break;
        case 'L': digit = 50; break;
        case 'C': digit = 100; break;
        case 'D': digit = 500; break;
        case 'M': digit = 1000; break;
        default: return -1;
        }
        if (digit < previous)
            total -= digit;
        else
            total += digit;
        if (digit > previous)
            previous = digit;
    }
    return total;
}
