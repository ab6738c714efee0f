static int[] packNibbles(int[] nibbles) {
    int half = (nibbles.length + 1) / 2;
    int[] packed = new int[half];
    for (int i = 0; i < nibbles.length; i++) {
        int nibble = nibbles[i] & 0x0F;
        int slot = i >> 1;
        if (i % 2 == 0) {
            packed[slot] = nibble << 4;
        } else {
            packed[slot] |= nibble;
        }
    }
    return packed;
}
