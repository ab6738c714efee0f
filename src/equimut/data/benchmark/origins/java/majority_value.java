static int majorityValue(int[] votes, int none) {
    int candidate = none;
    int lead = 0;
    for (int vote : votes) {
        if (lead == 0) {
            candidate = vote;
            lead = 1;
        } else if (vote == candidate) {
            lead++;
        } else {
            lead--;
        }
    }
    if (lead == 0) {
        return none;
    }
    int count = 0;
    for (int vote : votes) {
        if (vote == candidate) {
            count++;
        }
    }
    return count > votes.length / 2 ? candidate : none;
}
