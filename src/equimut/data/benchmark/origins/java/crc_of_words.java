static int crcOfWords(int[] message, int seed) {
    int register = seed & 0xFFFF;
    if (message == null) {
        return register;
    }
    for (int word : message) {
        register ^= (word & 0xFF) << 8;
        for (int bit = 0; bit < 8; bit++) {
            boolean carry = (register & 0x8000) != 0;
            register <<= 1;
            if (carry) {
                register ^= 0x1021;
            }
            register &= 0xFFFF;
        }
    }
    return register & 0xFFFF;
}
