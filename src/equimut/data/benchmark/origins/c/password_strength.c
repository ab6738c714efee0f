int password_strength(const char *password)
{
    bool lower = false, upper = false, digit = false, other = false;
    int length = 0;
    int score = 0;

    for (; password[length] != '\0'; length++) {
        unsigned char c = (unsigned char)password[length];

        if (islower(c))
            lower = true;
        else if (isupper(c))
            upper = true;
        else if (isdigit(c))
            digit = true;
        else
            other = true;
    }
    if (length == 0)
        return 0;
    score = lower + upper + digit + other;
    if (length >= 8)
        score++;
    if (length < 4 && score > 1)
        score = 1;
    if (score > 5)
        score = 5;
    return score;
}
