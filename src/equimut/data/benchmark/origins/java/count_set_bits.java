static int countSetBits(long word) {
    if (word == 0) {
        return 0;
    }
    int count = 0;
    long rest = word;
    for (int guard = 0; guard < 64 && rest != 0; guard++) {
        rest &= rest - 1;
        count++;
    }
    return count;
}
