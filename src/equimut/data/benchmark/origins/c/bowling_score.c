/* Score of a game of five frames; pin counts are cut to 0..10. */
int bowling_score(const int *rolls, int n)
{
    int pins[11] = {0};
    int used = n < 11 ? n : 11;
    int score = 0;
    int roll = 0;

    for (int i = 0; i < used; i++) {
        pins[i] = rolls[i];
        if (pins[i] < 0)
            pins[i] = 0;
        if (pins[i] > 10)
            pins[i] = 10;
    }
    for (int frame = 0; frame < 5 && roll < used; frame++) {
        int second = roll + 1 < used ? pins[roll + 1] : 0;
        int third = roll + 2 < used ? pins[roll + 2] : 0;

        if (pins[roll] == 10) {
            score += 10 + second + third;
            roll++;
        } else if (pins[roll] + second >= 10) {
            score += 10 + third;
            roll += 2;
        } else {
            score += pins[roll] + second;
            roll += 2;
        }
    }
    return score > 150 ? 150 : score;
}
