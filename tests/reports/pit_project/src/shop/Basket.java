package shop;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Conditions, arithmetic and returns of every type. */
public class Basket {
    static final int LIMIT = 10;
    private final List<Item> items = new ArrayList<>();
    private int version = LIMIT - 1;
    private long cents = 7L * LIMIT + now();
    private static int baskets;
    private static int step = now() % 2;

    static {
        baskets = step * 3;
    }

    Basket() {
    }

    Basket(int start, int extra) {
        this.version = start + extra;
    }

    static int now() {
        return baskets + 1;
    }

    int total(int a, int b, int c) {
        return a + b * c - (a - c) / b % 7;
    }

    int bits(int a, int b) {
        int mixed = a & b | a ^ b;
        return mixed << 2 >> 1 >>> a | ~b;
    }

    long scaled(long value, int by) {
        value *= by;
        value -= LIMIT * 2;
        return -value;
    }

    double ratio(double part, float whole) {
        float half = whole / 2;
        if (part < half || part >= whole) {
            return part % half;
        }
        return part * 100 - half;
    }

    boolean inside(int low, int x, int high) {
        return low <= x && x < high;
    }

    boolean outside(int low, int x, int high) {
        return !(low <= x && x < high) || x == LIMIT;
    }

    int clamp(int low, int x, int high) {
        return x < low ? low : x > high ? high : x;
    }

    int grow(int n) {
        int i = 0;
        i++; i += 5; i -= 3;
        version++; cents--;
        i = i++ + --n;
        return i;
    }

    int loops(int[] values, int n) {
        int sum = 0;
        for (int i = 0; i < values.length && values[i] != n; i++) { sum += values[i]; sum++; }
        while (n > 0 && sum >= n) n -= 2;
        do { sum--; } while (sum > 100);
        for (int value : values) if (value < 0) sum -= value;
        return sum;
    }

    void add(Item item) {
        if (item == null) { log("none"); return; }
        items.add(item); log("added"); touch(item.price() * 2, version); log("done");
        if (!item.known()) log("unknown: " + item + 1 + version);
    }

    private void log(String text) {
        System.out.println(text);
    }

    private int touch(int by, int old) {
        version = old + by;
        return version;
    }

    boolean touched(int by) {
        return touch(by, version) > by;
    }

    Integer boxed(Integer count) {
        count++;
        return count;
    }

    String title() {
        return "basket " + version;
    }

    List<Item> copy() {
        return new ArrayList<>(items);
    }

    List<Item> none() {
        return Collections.emptyList();
    }

    Optional<Item> first() {
        if (items.isEmpty()) return Optional.empty(); else return Optional.of(items.get(0));
    }

    Item last() {
        return items.isEmpty() ? null : items.get(items.size() - 1);
    }

    char letter(int n) {
        return (char) ('a' + n);
    }

    int finished(int n) {
        try {
            if (n > 3) return n / 2;
            n--;
        } finally {
            version = version - n;
        }
        return n;
    }
}
