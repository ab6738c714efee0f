package equimut_;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Makes calls in one version or another, each within limits of steps and time. */
final class Caller {
    static final long ORIGIN_STEPS = 50_000;
    private static final long LEAST_STEPS = 20_000;
    private static final long STEP_FACTOR = 50;
    /** Nanoseconds of the processor and of the clock for one call. */
    private static final long CALL_BURNT = 1_500_000_000L;
    private static final long CALL_WALL = 8_000_000_000L;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int MOST_STUCK = 25;
    private static final long STACK = 4L << 20;
    /** What the virtual machine itself says of an instruction that fails. */
    private static final Pattern MACHINE = Pattern.compile(
            "java\\.lang\\.(NullPointerException: Cannot .*|NullPointerException: null"
                    + "|ArrayIndexOutOfBoundsException: Index -?\\d+ out of bounds for length \\d+"
                    + "|ClassCastException: class .* cannot be cast to .*|NegativeArraySizeException: -\\d+"
                    + "|ArrayStoreException: [\\w.$\\[;]+|ArithmeticException: / by zero"
                    + "|\\w*Error: .*)", Pattern.DOTALL);

    /** Calls do not come back: the machine has to be left. */
    static final class Stuck extends RuntimeException {
        Stuck() {
            super("calls that do not come back");
        }
    }

    private interface Work {
        Seen run() throws Exception;
    }

    private final Access access;
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final PrintStream captured = new PrintStream(output, true);
    private final Map<World, Map<Class<?>, List<Member>>> parts = new java.util.WeakHashMap<>();
    private SynchronousQueue<Work> asked;
    private SynchronousQueue<Seen> answered;
    private Thread worker;
    private int stuck;
    /** Bytes of output before objects are made anew; negative where none are. */
    private volatile int printed;
    /** Expressions that give something else each time: a hash, the time. */
    final Set<String> unsteady = new HashSet<>();

    Caller(Access access) {
        this.access = access;
    }

    /** The budget of a mutant, by what the origin took. */
    static long budget(Seen origin) {
        return Math.max(LEAST_STEPS, STEP_FACTOR * origin.steps);
    }

    /** One call, and everything a test could see of it. */
    Seen see(World world, Recipe.Make call, long budget) {
        Guard.met = false;
        output.reset();
        printed = -1;
        System.setOut(captured);
        System.setErr(captured);
        BitSet probes = new BitSet();
        Steps.start(budget, probes);
        Guard.awake = true;
        Seen seen = inTime(() -> run(world, call));
        Guard.awake = false;
        if (Steps.steps > budget) {
            seen = new Seen("endless");
        } else if (Guard.met) {
            seen = new Seen("refused");
        }
        seen.steps = Steps.steps;
        seen.probes = probes;
        captured.flush();
        int length = printed < 0 ? output.size() : printed;
        if (length > 0 && seen.fine()) {
            String text = new String(output.toByteArray(), 0, length);
            seen.facets.add(new Facets.Facet("output", "{}", text, null, "java.lang.String"));
        }
        return seen;
    }

    private Seen inTime(Work work) {
        try {
            if (worker == null) {
                begin();
            }
            asked.put(work);
            long start = System.nanoTime();
            long burnt = burnt(worker);
            while (System.nanoTime() - start < CALL_WALL && burnt(worker) - burnt < CALL_BURNT) {
                Seen seen = answered.poll(100, TimeUnit.MILLISECONDS);
                if (seen != null) {
                    return seen;
                }
            }
            Thread late = worker;
            worker = null;
            Steps.leave(late);
            end(late);
            if (++stuck > MOST_STUCK) {
                throw new Stuck();
            }
            return new Seen("time");
        } catch (InterruptedException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static long burnt(Thread thread) {
        return Math.max(0, THREADS.getThreadCpuTime(thread.getId()));
    }

    private static void end(Thread late) throws InterruptedException {
        late.interrupt();
        late.join(50);
        if (late.isAlive()) {
            try {
                Thread.class.getMethod("stop").invoke(late);
            } catch (ReflectiveOperationException | RuntimeException gone) { // a later Java cannot do that
                late.setPriority(Thread.MIN_PRIORITY);
            }
        }
    }

    private void begin() {
        SynchronousQueue<Work> in = new SynchronousQueue<>();
        SynchronousQueue<Seen> out = new SynchronousQueue<>();
        asked = in;
        answered = out;
        worker = new Thread(null, () -> {
            while (true) {
                try {
                    out.put(guarded(in.take()));
                } catch (InterruptedException left) {
                    return;
                }
            }
        }, "subject", STACK);
        worker.setDaemon(true);
        worker.start();
    }

    private static Seen guarded(Work work) {
        try {
            return work.run();
        } catch (Steps.Endless endless) {
            return new Seen("endless");
        } catch (OutOfMemoryError | StackOverflowError error) {
            return new Seen("memory");
        } catch (Throwable looking) { // objects may do anything when they are looked at
            return new Seen("refused");
        }
    }

    private Seen run(World world, Recipe.Make call) throws Exception {
        Object receiver;
        Object[] values;
        try {
            receiver = call.on == null ? null : call.on.build(world);
            values = call.values(world);
        } catch (Exception | LinkageError fails) {
            fatal(fails instanceof InvocationTargetException ? fails.getCause() : fails);
            return new Seen("unbuilt");
        }
        if (call.on != null && receiver == null) {
            return new Seen("unbuilt");
        }
        Executable member = call.executable(world);
        Seen seen;
        Object result;
        try {
            result = World.invoke(member, receiver, values);
            seen = new Seen(Seen.RETURNS);
            Class<?> type = member instanceof Constructor ? member.getDeclaringClass() : ((Method) member).getReturnType();
            if (type != void.class && result == receiver && receiver != null) {
                seen.facets.add(new Facets.Facet("same", "{}", "same", "{\"lit\":\"boolean\",\"v\":\"true\"}", "boolean"));
            } else if (type != void.class) {
                add(seen, "result", result, type, world);
            }
        } catch (InvocationTargetException wrapped) {
            fatal(wrapped.getCause());
            return thrown(wrapped.getCause(), world);
        }
        if (receiver != null) {
            String type = call.on.type();
            add(seen, "receiver", receiver, type == null ? member.getDeclaringClass() : world.type(type), world);
        }
        Class<?>[] types = member.getParameterTypes();
        for (int i = 0; i < values.length; i++) {
            if (changes(values[i])) {
                add(seen, "argument " + i, values[i], types[i], world);
            }
        }
        captured.flush();
        printed = output.size();
        Steps.forgetPlaces(); // else all calls would come to `equals`, and few of them be its own
        keep(seen, Equality.of(world, call, result == receiver ? null : result, receiver, values));
        return seen;
    }

    private void add(Seen seen, String subject, Object value, Class<?> type, World world) {
        Map<Class<?>, List<Member>> known = parts.computeIfAbsent(world, any -> new HashMap<>());
        keep(seen, Facets.of(subject, value, type, world, access, known));
    }

    private void keep(Seen seen, List<Facets.Facet> facets) {
        for (Facets.Facet facet : facets) {
            if (!unsteady.contains(facet.template)) {
                seen.facets.add(facet);
            }
        }
    }

    private static boolean changes(Object value) {
        return value != null && !(value instanceof String) && !(value instanceof Number) && !(value instanceof Boolean)
                && !(value instanceof Character) && !(value instanceof Enum) && !(value instanceof Class)
                && !java.lang.reflect.Proxy.isProxyClass(value.getClass());
    }

    /** Passes on what ends a call, whoever made it. */
    static void fatal(Throwable thrown) {
        if (thrown instanceof Steps.Endless || thrown instanceof ThreadDeath || thrown instanceof OutOfMemoryError || thrown instanceof StackOverflowError) {
            throw (Error) thrown;
        }
    }

    private Seen thrown(Throwable thrown, World world) {
        Seen seen = new Seen(Seen.THROWS);
        Class<?> shown = thrown.getClass();
        while (!access.to(shown)) {
            shown = shown.getSuperclass();
        }
        seen.facets.add(new Facets.Facet("raised", "{}", thrown.getClass().getName(),
                new Recipe.ClassName(shown.getName()).text(), "java.lang.Class"));
        String said = thrown.getClass().getName() + ": " + thrown.getMessage();
        StackTraceElement[] trace = thrown.getStackTrace();
        boolean own = trace.length > 0 && world.owns(trace[0].getClassName());
        boolean machine = MACHINE.matcher(said).matches();
        boolean asked = trace.length > 0 && trace[0].getClassName().equals("java.util.Objects")
                && trace[0].getMethodName().equals("requireNonNull");
        if ((own || asked) && thrown.getMessage() != null && !machine && !Facets.ADDRESS.matcher(said).find()) {
            Recipe text = new Recipe.Literal("java.lang.String", thrown.getMessage());
            seen.facets.add(new Facets.Facet("message", "{}", thrown.getMessage(), text.text(), "java.lang.String"));
        }
        boolean explicit = own && thrown.getMessage() == null && !(thrown instanceof NullPointerException);
        seen.accident = machine && !explicit && !asked;
        return seen;
    }
}
