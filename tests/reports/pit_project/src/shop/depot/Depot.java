package shop.depot;

import java.util.List;
import java.util.function.IntBinaryOperator;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Lambdas, and expressions over several lines. */
public class Depot {
    private final IntBinaryOperator sum = (a, b) -> a + b;
    private static final IntPredicate EVEN = n -> n % 2 == 0;
    private int level;

    List<Integer> double_(List<Integer> values) {
        return values.stream().filter(v -> v > 2).map(v -> v * 2).collect(Collectors.toList());
    }

    Supplier<Supplier<Integer>> nested(int a) {
        return () -> { int b = a - 1; return () -> a + b; };
    }

    void run(List<Runnable> jobs, int n) {
        jobs.forEach(job -> job.run());
        jobs.add(() -> { level += n; report(level); });
        jobs.removeIf(job -> job == null || n < level);
    }

    void report(int value) {
        level = value;
    }

    int spread(int a, int b, int c) {
        int far = a
            + b
            * c;
        if (a > far
            && b < far
            || EVEN.test(c)
            && c != 3) {
            report(far
                - 1);
            report(
                spread(a - 1,
                    b,
                    c));
        }
        return a > b
            ? far
            - 2
            : sum.applyAsInt(a,
                b / 2);
    }
}
