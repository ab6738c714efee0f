/** Mirrors the lowest width bits; the bits above them are dropped. */
static int reverseBits(int value, int width) {
    int bits = Math.max(0, Math.min(width, 32));
    int mirrored = 0;
    int rest = value;
    for (int i = 0; i < bits; i++) {
        mirrored <<= 1;
        if ((rest & 1) != 0) {
            mirrored |= 1;
        }
        rest >>>= 1;
    }
    return mirrored;
}
