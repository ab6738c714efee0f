static int grayDecode(int gray) {
    if (gray == 0) {
        return 0;
    }
    int binary = gray;
    int shift = 1;
    while (shift < 32) {
        binary ^= binary >>> shift;
        shift <<= 1;
    }
    int check = binary ^ (binary >>> 1);
    if (check != gray) {
        throw new IllegalStateException("not a gray code");
    }
    return binary;
}
