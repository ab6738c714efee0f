bool luhn_valid(const char *number)
{
    int sum = 0;
    int digits = 0;
    int length = 0;

    while (number[length] != '\0')
        length++;
    for (int i = length - 1; i >= 0; i--) {
        int digit = 0;

        if (number[i] == ' ' || number[i] == '-')
            continue;
        if (number[i] < '0' || number[i] > '9')
            return false;
        digit = number[i] - '0';
        if (digits % 2 == 1) {
            digit *= 2;
            if (digit > 9)
                digit -= 9;
        }
        sum += digit;
        digits++;
    }
    return digits > 1 && sum % 10 == 0;
}
