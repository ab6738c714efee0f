/* Stores the element that holds more than half of the places, if any. */
bool majority_vote(const int *votes, int count, int *winner)
{
    int candidate = 0;
    int lead = 0;
    int seen = 0;

    for (int i = 0; i < count; i++) {
        if (lead == 0) {
            candidate = votes[i];
            lead = 1;
        } else if (votes[i] == candidate) {
            lead++;
        } else {
            lead--;
        }
    }
    if (lead == 0)
        return false;

    for (int i = 0; i < count; i++) {
        if (votes[i] == candidate)
            seen++;
    }
    if (seen <= count / 2)
        return false;
    *winner = candidate;
    return true;
}
