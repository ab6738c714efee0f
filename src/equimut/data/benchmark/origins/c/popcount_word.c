int popcount_word(unsigned word)
{
    int count = 0;

    if (word == 0)
        return 0;
    if (word == UINT_MAX)
        return 32;
    while (word != 0) {
        word &= word - 1;
        count++;
    }
    return count;
}
