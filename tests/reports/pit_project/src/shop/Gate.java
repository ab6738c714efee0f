package shop;

/** Short circuits in every position, on nothing but int: small enough to run by hand. */
final class Gate {
    private Gate() {
    }

    static int mixed(int a, int b, int c) {
        if ((a < b || b == c) && !(c > 4 && a != 1) || a > 9) return a - b;
        return b + c;
    }

    static int chosen(int a, int b, int c) {
        if (a > b ? b < c : !(c <= a)) return 1; else return a == c || b >= 3 ? 2 : 3;
    }

    static int counted(int a, int b, int c) {
        int n = 0;
        do { n++; a--; } while (a > 0 && n < 20 || b == n);
        while (!(n >= c || b < 0)) { n += 2; b--; }
        for (int i = 0; i < b && (i != 3 || c > 2); i++) n = n * 2 % 97 - i;
        return n;
    }

    static boolean judged(int a, int b, int c) {
        boolean high = a > b && b > c, low = !(a >= b) || c == 0;
        return high ^ low | (a == 7 & !high);
    }

    static int signed(int a, int b, int c) {
        return a < 0 ? -a : b < 0 ? ~b & c : (a ^ b) >> 1 << (c & 3) >>> 1;
    }
}
