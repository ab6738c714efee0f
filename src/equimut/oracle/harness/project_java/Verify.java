package equimut_;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** Compiles suggested tests and runs them on the origin and on mutants, with JUnit where there is one. */
public final class Verify {
    private final Path directory;
    private final Properties job = new Properties();
    private final PrintStream results;
    private final Map<Integer, Map<String, byte[]>> compiled = new HashMap<>();
    private Object jupiter;
    private volatile long deadline = Long.MAX_VALUE;
    private volatile long latest = Long.MAX_VALUE;
    private volatile int current = -1;

    private Verify(Path directory) throws IOException {
        this.directory = directory;
        try (var reader = Files.newBufferedReader(directory.resolve("job.properties"))) {
            job.load(reader);
        }
        results = new PrintStream(new FileOutputStream(directory.resolve("results.jsonl").toFile(), true), true, "UTF-8");
    }

    private String text(String file) throws IOException {
        return Files.readString(directory.resolve(file));
    }

    private void report(String json) {
        results.println("{" + json + "}");
    }

    private void run() throws Exception {
        Versions versions =
                new Versions(job.getProperty("name"), job.getProperty("classpath"), job.getProperty("harness"));
        Versions.Compiled origin =
                versions.origin(text("unit0.java"), job.getProperty("sourcepath"), directory.resolve("base"));
        if (!origin.error.isEmpty()) {
            report("\"result\":\"trouble\",\"reason\":" + Values.quote(origin.error));
            return;
        }
        compiled.put(0, origin.classes);
        Map<String, byte[]> tests = compileTests(versions);
        World.Library library = new World.Library(versions.classpath());
        if (job.getProperty("framework").equals("5")) { // finds its engines while this class loader is the thread's
            jupiter = call(null, Class.forName("org.junit.platform.launcher.core.LauncherFactory"), "create");
        }
        for (String row : Group.split(job.getProperty("runs"))) {
            int number = Integer.parseInt(row.substring(0, row.indexOf(':')));
            String[] names = row.substring(row.indexOf(':') + 1).split(",");
            int unit = Math.max(0, number);
            if (!compiled.containsKey(unit)) {
                compiled.clear(); // a mutant's runs follow each other
                compiled.put(0, origin.classes);
                compiled.put(unit, versions.compile(text("unit" + unit + ".java"), "").classes);
            }
            Map<String, byte[]> all = new HashMap<>(compiled.get(unit));
            all.putAll(tests);
            current = number;
            deadline = Project.now() + Long.parseLong(job.getProperty("milliseconds")) * 1_000_000L;
            latest = System.nanoTime() + 6 * Long.parseLong(job.getProperty("milliseconds")) * 1_000_000L;
            Guard.awake = true;
            String outcomes = outcomes(new World(library, all), names);
            Guard.awake = false;
            deadline = Long.MAX_VALUE;
            latest = Long.MAX_VALUE;
            report("\"result\":\"run\",\"run\":" + number + ",\"ended\":false,\"outcomes\":{" + outcomes + "}");
        }
        report("\"result\":\"done\"");
    }

    /** The tests as one class; those that do not compile are left out and reported. */
    private Map<String, byte[]> compileTests(Versions versions) throws IOException {
        List<String> left = new ArrayList<>(Arrays.asList(Group.split(job.getProperty("tests"))));
        List<Sources.Source> others = new ArrayList<>();
        for (String name : Group.split(job.getProperty("others"))) {
            others.add(new Sources.Source(0, name, text(name + ".java")));
        }
        while (!left.isEmpty()) {
            StringBuilder all = new StringBuilder(text("header.txt"));
            TreeMap<Integer, String> starts = new TreeMap<>();
            for (String name : left) {
                starts.put(1 + (int) all.chars().filter(c -> c == '\n').count(), name);
                all.append(text(name + ".txt")).append('\n');
            }
            all.append("}\n");
            List<Sources.Source> sources = new ArrayList<>(others);
            sources.add(new Sources.Source(0, job.getProperty("test"), all.toString()));
            Versions.Compiled done = versions.compile(sources, "");
            if (done.error.isEmpty()) {
                return done.classes;
            }
            int before = left.size();
            for (int line : done.lines) {
                Map.Entry<Integer, String> start = starts.floorEntry(line);
                if (start != null && left.remove(start.getValue())) {
                    report("\"result\":\"uncompiled\",\"test\":" + Values.quote(start.getValue()) + ",\"reason\":"
                            + Values.quote(done.error));
                }
            }
            if (left.size() == before) {
                report("\"result\":\"trouble\",\"reason\":" + Values.quote(done.error));
                return new HashMap<>();
            }
        }
        return new HashMap<>();
    }

    private String outcomes(World world, String[] names) throws Exception {
        List<String> found = new ArrayList<>();
        Class<?> type;
        try {
            type = world.type(job.getProperty("test"));
        } catch (ClassNotFoundException none) { // nothing compiled
            return "";
        }
        for (String name : names) {
            Method method;
            try {
                method = type.getDeclaredMethod(name);
            } catch (NoSuchMethodException uncompiled) {
                continue;
            }
            Thread.currentThread().setContextClassLoader(world);
            String framework = job.getProperty("framework");
            boolean passed = framework.equals("5") ? byJupiter(type, method)
                    : framework.equals("4") ? byFour(type, method) : byHand(type, method);
            found.add(Values.quote(name) + ":\"" + (passed ? "passed" : "failed") + "\"");
        }
        return String.join(",", found);
    }

    /** JUnit is not here when this class is compiled, so that its methods are looked up by name. */
    private static Object call(Object on, Class<?> owner, String name, Object... values) throws Exception {
        for (Method method : owner.getMethods()) {
            if (method.getName().equals(name) && method.getParameterCount() == values.length && fits(method, values)) {
                return method.invoke(on, values);
            }
        }
        throw new NoSuchMethodException(owner.getName() + "." + name);
    }

    private static boolean fits(Method method, Object[] values) {
        for (int i = 0; i < values.length; i++) {
            if (!method.getParameterTypes()[i].isInstance(values[i])) {
                return false;
            }
        }
        return true;
    }

    private static Object array(String type, Object... values) throws ClassNotFoundException {
        Object array = Array.newInstance(Class.forName(type), values.length);
        for (int i = 0; i < values.length; i++) {
            Array.set(array, i, values[i]);
        }
        return array;
    }

    private boolean byJupiter(Class<?> type, Method method) throws Exception {
        String launcher = "org.junit.platform.launcher.";
        Class<?> builders = Class.forName(launcher + "core.LauncherDiscoveryRequestBuilder");
        Object builder = call(null, builders, "request");
        Object selected = call(null, Class.forName("org.junit.platform.engine.discovery.DiscoverySelectors"),
                "selectMethod", type, method);
        call(builder, builders, "selectors", array("org.junit.platform.engine.DiscoverySelector", selected));
        Object request = call(builder, builders, "build");
        Object listener = Class.forName(launcher + "listeners.SummaryGeneratingListener").getConstructor().newInstance();
        call(jupiter, Class.forName(launcher + "Launcher"), "execute", request,
                array(launcher + "TestExecutionListener", listener));
        Object summary = call(listener, listener.getClass(), "getSummary");
        Class<?> counts = Class.forName(launcher + "listeners.TestExecutionSummary");
        return (long) call(summary, counts, "getTestsSucceededCount") == 1
                && (long) call(summary, counts, "getTestsFailedCount") == 0;
    }

    private static boolean byFour(Class<?> type, Method method) throws Exception {
        Object request = call(null, Class.forName("org.junit.runner.Request"), "method", type, method.getName());
        Class<?> core = Class.forName("org.junit.runner.JUnitCore");
        Object result = call(core.getConstructor().newInstance(), core, "run", request);
        return (boolean) call(result, result.getClass(), "wasSuccessful")
                && (int) call(result, result.getClass(), "getRunCount") == 1;
    }

    private static boolean byHand(Class<?> type, Method method) throws Exception {
        method.setAccessible(true);
        var constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        try {
            method.invoke(constructor.newInstance());
            return true;
        } catch (InvocationTargetException fails) {
            return false;
        }
    }

    /** Runs the job in the directory named; another thread works, this one watches. */
    public static void main(String[] names) throws Exception {
        Verify verify = new Verify(Paths.get(names[0]));
        PrintStream errors = new PrintStream(new FileOutputStream(FileDescriptor.err), true);
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        System.setErr(new PrintStream(OutputStream.nullOutputStream()));
        Guard.post(names[0] + "/");
        Thread worker = new Thread(null, () -> {
            try {
                verify.run();
                Guard.halt(0);
            } catch (Throwable error) {
                error.printStackTrace(errors);
                verify.report("\"result\":\"trouble\",\"reason\":" + Values.quote("the tests could not be run: " + error));
                Guard.halt(4);
            }
        }, "tests");
        worker.start();
        while (true) {
            Thread.sleep(20);
            if (Project.now() > verify.deadline || System.nanoTime() > verify.latest) {
                verify.report("\"result\":\"run\",\"run\":" + verify.current + ",\"ended\":true,\"outcomes\":{}");
                Guard.halt(3);
            }
        }
    }
}
