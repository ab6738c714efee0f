package equimut_;

import java.util.BitSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The step budget of one call; the instrumented sources tick it. */
public final class Steps {
    /** Thrown when the budget is spent. */
    public static final class Endless extends Error {
        Endless() {
            super("endless", null, false, false);
        }
    }

    static long steps;
    static long budget;
    private static BitSet reached = new BitSet();
    /** Threads whose calls were given up; null as long as there are none. */
    private static volatile Set<Thread> left;

    private Steps() {}

    static void start(long allowed) {
        start(allowed, new BitSet());
    }

    static void start(long allowed, BitSet probes) {
        steps = 0;
        budget = allowed;
        reached = probes;
    }

    /** Places that are reached from now on belong to no call. */
    static void forgetPlaces() {
        reached = new BitSet();
    }

    /** Nothing this thread does counts any more; it ends as soon as it ticks. */
    static void leave(Thread thread) {
        Set<Thread> all = ConcurrentHashMap.newKeySet();
        all.addAll(left == null ? Set.of() : left);
        all.add(thread);
        left = all;
    }

    /** A place of the origin is reached. */
    public static void at(int place) {
        reached.set(place);
    }

    /** One step: a loop body or a method is entered. Keeps throwing, should code swallow it. */
    public static void tick() {
        if (left != null && left.contains(Thread.currentThread())) {
            throw new Endless();
        }
        if (++steps > budget) {
            throw new Endless();
        }
    }
}
