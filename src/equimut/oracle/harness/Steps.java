package equimut_;

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

    private Steps() {}

    static void start(long allowed) {
        steps = 0;
        budget = allowed;
    }

    /** One step: a loop body or a method is entered. Keeps throwing, should code swallow it. */
    public static void tick() {
        if (++steps > budget) {
            throw new Endless();
        }
    }
}
