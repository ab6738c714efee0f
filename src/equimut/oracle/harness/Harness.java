package equimut_;

import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Runs an origin and its mutants on the same inputs, in one virtual machine. */
public final class Harness {
    private static final long STACK = 1L << 30;
    private static final int OUTPUT_LIMIT = 65_536;
    /** Endless inputs after which an origin that hardly ever ends is given up. */
    private static final int HOPELESS = 200;
    /** Where the library or the virtual machine writes their messages, these name indexes or variables. */
    private static final Set<String> FOREIGN_MESSAGE =
            Set.of("java.lang.NullPointerException", "java.lang.ArrayIndexOutOfBoundsException",
                    "java.lang.StringIndexOutOfBoundsException", "java.lang.ClassCastException",
                    "java.lang.IndexOutOfBoundsException", "java.lang.NegativeArraySizeException",
                    "java.lang.ArrayStoreException", "java.lang.ArithmeticException");

    /** What the virtual machine itself says of an instruction that fails. */
    private static final Pattern MACHINE_MESSAGE = Pattern.compile(
            "java\\.lang\\.(NullPointerException: Cannot .*"
                    + "|ArrayIndexOutOfBoundsException: Index -?\\d+ out of bounds for length \\d+"
                    + "|ClassCastException: class .* cannot be cast to .*|NegativeArraySizeException: -\\d+"
                    + "|ArrayStoreException: [\\w.$\\[;]+|ArithmeticException: / by zero)", Pattern.DOTALL);

    private final Path directory;
    private final Properties job = new Properties();
    private final PrintStream results;
    private final MappedByteBuffer progress;
    private final List<String[]> inputs = new ArrayList<>();
    private final Map<Integer, Object[]> arguments = new HashMap<>();
    private final Map<Integer, String> expected = new TreeMap<>();
    private final Map<Integer, Long> steps = new HashMap<>();
    private final Captured output = new Captured();
    private final Captured errors = new Captured();
    private final PrintStream captured = new PrintStream(output, false, StandardCharsets.UTF_8);
    private final PrintStream capturedErrors = new PrintStream(errors, false, StandardCharsets.UTF_8);
    private volatile long deadline = Long.MAX_VALUE;
    /** Whether a mutant has changed what all of them share, such as a system property. */
    private boolean spoiled;
    private String done = "done";

    /** What one call writes, up to a limit; of the rest, a digest. */
    private static final class Captured extends OutputStream {
        private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
        private long lost;
        private long digest;

        @Override
        public void write(int b) {
            if (kept.size() < OUTPUT_LIMIT) {
                kept.write(b);
            } else {
                lost++;
                digest = (digest ^ (b & 0xff)) * 0x100000001b3L; // FNV-1a
            }
        }

        void reset() {
            kept.reset();
            lost = 0;
            digest = 0xcbf29ce484222325L;
        }

        String text() {
            return kept.toString(StandardCharsets.UTF_8) + (lost > 0 ? "... " + lost + " more, " + Long.toHexString(digest) : "");
        }
    }

    private Harness(Path directory) throws IOException {
        this.directory = directory;
        try (var reader = Files.newBufferedReader(directory.resolve("job.properties"))) {
            job.load(reader);
        }
        results = new PrintStream(new FileOutputStream(directory.resolve("results.jsonl").toFile(), true), true);
        try (var file = new RandomAccessFile(directory.resolve("progress").toFile(), "rw")) {
            progress = file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 16);
            progress.order(ByteOrder.LITTLE_ENDIAN);
        }
        for (String line : Files.readAllLines(directory.resolve("inputs.txt"))) {
            inputs.add(line.isEmpty() ? new String[0] : line.split(" "));
        }
    }

    private long number(String key) {
        return Long.parseLong(job.getProperty(key));
    }

    private List<Integer> numbers(String key) {
        List<Integer> found = new ArrayList<>();
        for (String part : job.getProperty(key).split(",")) {
            if (!part.isEmpty()) {
                found.add(Integer.parseInt(part));
            }
        }
        return found;
    }

    private Map<Integer, String> texts(String folder, List<Integer> units) throws IOException {
        Map<Integer, String> found = new TreeMap<>();
        for (int unit : units) {
            found.put(unit, Files.readString(directory.resolve(folder).resolve(unit + ".java")));
        }
        return found;
    }

    private void enter(int unit, int place) {
        progress.putLong(0, unit);
        progress.putLong(8, place);
    }

    private void stillborn(int unit, String reason) {
        results.println("{\"unit\":" + unit + ",\"result\":\"stillborn\",\"reason\":" + Values.quote(reason) + "}");
    }

    private void run() throws Exception {
        List<Integer> units = numbers("order");
        List<Integer> all = new ArrayList<>(units);
        all.add(0, 0);
        Sources sources = new Sources();
        sources.compile(texts("ticking", all), job.getProperty("class"), true);
        sources.errors.forEach((unit, error) -> stillborn(unit, "does not compile: " + error));
        if (sources.errors.containsKey(0)) {
            return;
        }
        Loader loader = new Loader(sources.classes);
        Subject origin = new Subject(loader, 0);
        if (!runOrigin(origin)) {
            return;
        }
        List<Integer> survivors = new ArrayList<>();
        Map<Integer, int[]> counts = new HashMap<>();
        boolean fresh = true;
        boolean clean = !expected.isEmpty();
        for (int unit : units) {
            if (clean && !sources.errors.containsKey(unit)) {
                int[] count = runMutant(unit, loader, origin, fresh);
                if (count != null) {
                    survivors.add(unit);
                    counts.put(unit, count);
                }
                clean = sameAgain(origin, expected.keySet().iterator().next()) && !spoiled;
                fresh = false;
            }
        }
        done = clean || expected.isEmpty() ? "done" : "again";
        deadline = Long.MAX_VALUE;
        Set<Integer> same = job.getProperty("prove").equals("1") ? identical(survivors) : Set.of();
        for (int unit : survivors) {
            results.println("{\"unit\":" + unit + ",\"result\":\"survived\",\"tried\":" + counts.get(unit)[0]
                    + ",\"short\":" + counts.get(unit)[1] + ",\"identical\":" + same.contains(unit) + "}");
        }
    }

    /** The class under test of one unit, ready to be called. */
    private final class Subject {
        final Method method;
        final Constructor<?> constructor;

        Subject(Loader loader, int unit) throws Exception {
            Class<?> type = Class.forName(Sources.packageOf(unit) + "." + job.getProperty("class"), true, loader);
            Method found = null;
            for (Method candidate : type.getDeclaredMethods()) {
                if (candidate.getName().equals(job.getProperty("method"))
                        && parameters(candidate).equals(job.getProperty("parameters"))) {
                    found = candidate;
                }
            }
            if (found == null) {
                throw new NoSuchMethodException("does not define " + job.getProperty("method"));
            }
            method = found;
            method.setAccessible(true);
            constructor = Modifier.isStatic(method.getModifiers()) ? null : type.getDeclaredConstructor();
            if (constructor != null) {
                constructor.setAccessible(true);
            }
        }
    }

    private static String parameters(Method method) {
        StringBuilder text = new StringBuilder();
        for (Class<?> type : method.getParameterTypes()) {
            text.append(type.getSimpleName()).append(' ');
        }
        return text.toString().trim();
    }

    private Object[] argumentsOf(int place, Method method) {
        Object[] values = arguments.get(place);
        if (values == null) {
            Class<?>[] types = method.getParameterTypes();
            values = new Object[types.length];
            int[] at = {0};
            for (int i = 0; i < types.length; i++) {
                values[i] = Values.decode(types[i], inputs.get(place), at);
            }
            arguments.put(place, values);
        }
        Object[] fresh = new Object[values.length];
        for (int i = 0; i < values.length; i++) {
            fresh[i] = Values.copy(values[i]);
        }
        return fresh;
    }

    /** One call and everything a test could see of it, as JSON; null when memory ran out. */
    private String observe(Subject subject, int place, long budget) throws Exception {
        Object[] values = argumentsOf(place, subject.method);
        Object self = null;
        output.reset();
        errors.reset();
        System.setOut(captured);
        System.setErr(capturedErrors);
        Values.opaque = false;
        StringBuilder value = new StringBuilder();
        String outcome = "returns";
        String detail = "";
        Steps.start(budget);
        try {
            self = subject.constructor == null ? null : subject.constructor.newInstance();
            Object result = subject.method.invoke(self, values);
            if (subject.method.getReturnType() == void.class) {
                value.append("void");
            } else {
                Values.render(result, value, 0);
            }
        } catch (InvocationTargetException wrapped) {
            Throwable thrown = wrapped.getCause();
            if (thrown instanceof OutOfMemoryError) {
                return null;
            }
            outcome = thrown instanceof StackOverflowError ? "stack overflow" : "throws";
            detail = outcome.equals("throws") ? describe(thrown) : "";
        } catch (OutOfMemoryError error) {
            return null;
        } catch (StackOverflowError error) {
            outcome = "stack overflow";
        }
        if (Steps.steps > budget) {
            return "{\"outcome\":\"endless\"}";
        }
        if (outcome.equals("stack overflow")) {
            return "{\"outcome\":\"stack overflow\"}";
        }
        return "{\"outcome\":\"" + outcome + "\",\"value\":" + Values.quote(value.toString()) + ",\"detail\":"
                + Values.quote(detail) + ",\"arguments\":" + after(values, self) + ",\"output\":"
                + Values.quote(printed(captured, output)) + ",\"errors\":"
                + Values.quote(printed(capturedErrors, errors)) + "}";
    }

    private static String printed(PrintStream stream, Captured kept) {
        stream.flush();
        return kept.text();
    }

    /** Whether the code under test wrote the message: elsewhere it was built by nobody else. */
    private static boolean ownMessage(Throwable thrown, String name) {
        if (thrown.getMessage() == null || !FOREIGN_MESSAGE.contains(name)) {
            return thrown.getMessage() != null;
        }
        StackTraceElement[] trace = thrown.getStackTrace();
        if (trace.length == 0 || !trace[0].getClassName().startsWith("unit")) {
            // The library passes on what it is given here; anywhere else it writes itself.
            return trace.length > 0 && trace[0].getClassName().equals("java.util.Objects")
                    && trace[0].getMethodName().equals("requireNonNull");
        }
        return !MACHINE_MESSAGE.matcher(name + ": " + thrown.getMessage()).matches();
    }

    private static String describe(Throwable thrown) {
        String name = thrown.getClass().getName();
        String simple = name.startsWith("unit") ? name.substring(name.indexOf('.') + 1) : name;
        boolean told = ownMessage(thrown, name);
        return told ? simple + ": " + thrown.getMessage().replaceAll("@[0-9a-f]+|unit[0-9]{6}[./]", "@") : simple;
    }

    /** Arrays after the call, and the fields of the object the method was called on. */
    private static String after(Object[] values, Object self) throws Exception {
        List<String> texts = new ArrayList<>();
        for (Object value : values) {
            if (value != null && value.getClass().isArray()) {
                StringBuilder text = new StringBuilder();
                Values.render(value, text, 0);
                texts.add(Values.quote(text.toString()));
            }
        }
        if (self != null) {
            StringBuilder text = new StringBuilder();
            Values.fields(self, text, 0);
            if (text.length() > 2) {
                texts.add(Values.quote(text.toString()));
            }
        }
        return "[" + String.join(",", texts) + "]";
    }

    private void allow(String key) {
        deadline = System.nanoTime() + number(key) * 1_000_000L;
    }

    private boolean runOrigin(Subject origin) throws Exception {
        Set<Integer> skip = new HashSet<>(numbers("skip"));
        int endless = 0;
        int memory = 0;
        int overflow = 0;
        int opaque = 0;
        int ended = 0;
        for (int place = 0; place < inputs.size() && expected.size() < number("wanted"); place++) {
            if (endless >= HOPELESS && 50 * expected.size() < endless) {
                break;
            }
            if (skip.contains(place)) {
                ended++;
                continue;
            }
            enter(0, place);
            allow("call_milliseconds");
            String seen = observe(origin, place, number("origin_steps"));
            if (seen == null) {
                memory++;
            } else if (seen.startsWith("{\"outcome\":\"endless\"")) {
                endless++;
            } else if (seen.startsWith("{\"outcome\":\"stack overflow\"")) {
                overflow++;
            } else if (Values.opaque) {
                opaque++;
            } else {
                expected.put(place, seen);
                steps.put(place, Steps.steps);
            }
        }
        allow("wall_milliseconds");
        List<Integer> places = new ArrayList<>(expected.keySet());
        boolean stable = true;
        // Backwards: a method that keeps state between calls gives itself away.
        for (int i = places.size() - 1; i >= 0 && stable; i--) {
            stable = expected.get(places.get(i)).equals(observe(origin, places.get(i), budget(places.get(i))));
        }
        results.println("{\"unit\":0,\"result\":\"origin\",\"valid\":" + places + ",\"stable\":" + stable
                + ",\"endless\":" + endless + ",\"memory\":" + memory + ",\"stack_overflow\":" + overflow
                + ",\"opaque\":" + opaque + ",\"ended\":" + ended + "}");
        return stable;
    }

    private long budget(int place) {
        return Math.max(number("least_steps"), number("step_factor") * steps.get(place));
    }

    private boolean sameAgain(Subject origin, int place) throws Exception {
        return expected.get(place).equals(observe(origin, place, budget(place)));
    }

    /**
     * Stops at the first difference; gives what was tried when there is none. Where the origin no longer does what it
     * did, a mutant has changed what they share: the difference is this one's only if it is the first to run.
     */
    private int[] runMutant(int unit, Loader loader, Subject origin, boolean fresh) throws Exception {
        enter(unit, -1);
        allow("wall_milliseconds");
        boolean always = job.getProperty("observe").equals("1");
        int tried = 0;
        int memory = 0;
        Subject subject;
        try {
            subject = new Subject(loader, unit);
        } catch (ReflectiveOperationException | LinkageError error) {
            stillborn(unit, "cannot be loaded: " + error);
            return null;
        }
        for (Map.Entry<Integer, String> entry : expected.entrySet()) {
            enter(unit, entry.getKey());
            String seen = observe(subject, entry.getKey(), budget(entry.getKey()));
            tried++;
            if (seen == null) {
                memory++;
            } else if (always || !seen.equals(entry.getValue())) {
                spoiled = !sameAgain(origin, entry.getKey());
                if (spoiled && !fresh) {
                    return null;
                }
                results.println("{\"unit\":" + unit + ",\"result\":\"killed\",\"input\":" + entry.getKey() + ",\"tried\":"
                        + tried + ",\"origin\":" + entry.getValue() + ",\"mutant\":" + seen + "}");
                return null;
            }
        }
        return new int[] {tried, memory};
    }

    /** The units whose class files equal the origin's once the package name is taken out. */
    private Set<Integer> identical(List<Integer> units) throws IOException {
        Set<Integer> same = new HashSet<>();
        if (units.isEmpty()) {
            return same;
        }
        List<Integer> all = new ArrayList<>(units);
        all.add(0, 0);
        Sources plain = new Sources();
        plain.compile(texts("plain", all), job.getProperty("class"), false);
        Map<String, String> origin = classesOf(plain, 0);
        for (int unit : units) {
            if (!origin.isEmpty() && origin.equals(classesOf(plain, unit))) {
                same.add(unit);
            }
        }
        return same;
    }

    private static Map<String, String> classesOf(Sources sources, int unit) {
        String home = Sources.packageOf(unit);
        Map<String, String> found = new TreeMap<>();
        sources.classes.forEach((name, bytes) -> {
            if (name.startsWith(home + ".")) {
                String text = new String(bytes, StandardCharsets.ISO_8859_1);
                found.put(name.substring(home.length()), text.replace(home + "/", Sources.packageOf(0) + "/"));
            }
        });
        return found;
    }

    /** Loads the classes that were compiled in memory. */
    private static final class Loader extends ClassLoader {
        private final Map<String, byte[]> classes;

        Loader(Map<String, byte[]> classes) {
            super(Harness.class.getClassLoader());
            this.classes = classes;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] bytes = classes.get(name);
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    /** Runs the job in the directory named; a thread with a deep stack works, this one watches. */
    public static void main(String[] names) throws Exception {
        Harness harness = new Harness(Paths.get(names[0]));
        PrintStream errors = new PrintStream(new FileOutputStream(FileDescriptor.err), true);
        Thread worker = new Thread(null, () -> {
            try {
                harness.run();
                harness.results.println("{\"result\":\"" + harness.done + "\"}");
                Runtime.getRuntime().halt(0);
            } catch (Throwable error) {
                error.printStackTrace(errors);
                Runtime.getRuntime().halt(4);
            }
        }, "subject", STACK);
        worker.start();
        while (true) {
            Thread.sleep(50);
            if (System.nanoTime() > harness.deadline && harness.deadline != Long.MAX_VALUE) {
                Runtime.getRuntime().halt(3);
            }
        }
    }
}
