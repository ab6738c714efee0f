package equimut_;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.Set;

/** Runs functions of a file where they stand, as they are and changed. The driver is `equimut.oracle.java.project`. */
public final class Project {
    private static final double ORIGIN_SECONDS = 12;
    private static final double MUTANT_SECONDS = 10;
    private static final double SHRINK_SECONDS = 3;
    private static final int MOST_SHRINKS = 600;
    private static final int MOST_SHARED = 160;
    private static final int MOST_TAKEN_OVER = 300;
    private static final int MOST_UNWRITTEN = 30;
    /** Calls of a function that are looked at twice at once. */
    private static final int SURE = 5;
    /** Calls after which a function that nothing comes to is given up. */
    private static final int HOPELESS = 3_000;

    private final Path directory;
    private final Properties job = new Properties();
    private final PrintStream results;
    private final Random random;
    private final Access access;
    private final Caller caller;
    private final Map<Integer, Integer> places = new HashMap<>();
    private final List<Group> groups = new ArrayList<>();
    private final List<Group.Entry> entries = new ArrayList<>();
    /** All calls that some function kept. */
    private final List<Group.Kept> everything = new ArrayList<>();
    private Versions versions;
    private World.Library library;
    private Map<String, byte[]> classes;
    private World origin;
    /** The same once more. */
    private World spare;
    private Maker maker;

    /** A call that kills a mutant, and what both do. */
    private static final class Found {
        final Recipe.Make call;
        final Seen origin;
        final Seen mutant;

        Found(Recipe.Make call, Seen origin, Seen mutant) {
            this.call = call;
            this.origin = origin;
            this.mutant = mutant;
        }

        boolean writable() {
            return origin.writable(mutant);
        }
    }

    private Project(Path directory) throws IOException {
        this.directory = directory;
        try (var reader = Files.newBufferedReader(directory.resolve("job.properties"))) {
            job.load(reader);
        }
        results = new PrintStream(new FileOutputStream(directory.resolve("results.jsonl").toFile(), true), true, "UTF-8");
        random = new Random(Long.parseLong(job.getProperty("seed")));
        access = new Access(job.getProperty("package"));
        caller = new Caller(access);
    }

    private int number(String key) {
        return Integer.parseInt(job.getProperty(key));
    }

    private String text(String file) throws IOException {
        return Files.readString(directory.resolve(file));
    }

    private void report(String json) {
        results.println("{" + json + "}");
    }

    /** Nanoseconds of the processor: how busy the machine is must not change what is found. */
    static long now() {
        return ((com.sun.management.OperatingSystemMXBean) java.lang.management.ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private static boolean past(long start, double seconds) {
        return now() - start > seconds * 1e9;
    }

    private boolean load() throws IOException {
        versions = new Versions(job.getProperty("name"), job.getProperty("classpath"), job.getProperty("harness"));
        Versions.Compiled done =
                versions.origin(text("origin.java"), job.getProperty("sourcepath"), directory.resolve("base"));
        if (!done.error.isEmpty()) {
            report("\"result\":\"file\",\"reason\":" + Values.quote(done.error));
            return false;
        }
        classes = done.classes;
        library = new World.Library(versions.classpath());
        origin = new World(library, classes);
        spare = new World(library, classes);
        maker = new Maker(origin, access, random);
        for (int i = 0; i < number("groups"); i++) {
            groups.add(new Group(i, job, Files.readAllLines(directory.resolve("pool" + i + ".txt"))));
        }
        for (String each : Group.split(job.getProperty("places"))) {
            String[] pair = each.split(":");
            places.put(Integer.parseInt(pair[0]), Integer.parseInt(pair[1]));
        }
        findEntries();
        return true;
    }

    private void findEntries() {
        String mine = job.getProperty("name");
        for (String name : classes.keySet()) {
            if (!name.equals(mine) && !name.startsWith(mine + "$") && !isHere(name)) {
                continue;
            }
            try {
                Class<?> type = origin.type(name);
                if (access.to(type)) {
                    addEntries(type);
                }
            } catch (ClassNotFoundException | LinkageError missing) {
                continue;
            }
        }
        entries.sort(Comparator.comparing(entry -> entry.member.toString()));
    }

    /** Whether a class stands in the file although it is not named like it. */
    private boolean isHere(String name) {
        for (Group group : groups) {
            String outermost = group.owner.split("\\.")[0];
            if (name.substring(name.lastIndexOf('.') + 1).split("\\$")[0].equals(outermost)) {
                return true;
            }
        }
        return false;
    }

    private void addEntries(Class<?> type) {
        for (Method method : type.getDeclaredMethods()) {
            if (access.to(method) && !Modifier.isAbstract(method.getModifiers()) && !method.isBridge()) {
                entries.add(new Group.Entry(method, Access.isStatic(method) ? null : type));
            }
        }
        for (Constructor<?> each : type.getDeclaredConstructors()) {
            if (access.to(each) && !Modifier.isAbstract(type.getModifiers()) && !type.isEnum()) {
                entries.add(new Group.Entry(each, null));
            }
        }
    }

    // inputs

    private void explore(Group group) {
        maker.pool = group.pool;
        List<Group.Entry> direct = new ArrayList<>();
        List<Group.Entry> others = new ArrayList<>();
        for (Group.Entry entry : entries) {
            (group.is(entry.member) ? direct : others).add(entry);
            entry.hits = 0;
        }
        int wanted = number("inputs");
        int most = Math.min(MOST_TAKEN_OVER, wanted / 2); // the result shows in the function's own calls only
        for (Group.Kept each : everything) {
            if (!group.name.isEmpty() && group.reachedBy(each.seen.probes) && group.kept.size() < most) {
                group.kept.add(each);
            }
        }
        Set<String> tried = new HashSet<>();
        BitSet known = new BitSet();
        List<Recipe.Make> seeds = new ArrayList<>();
        for (Group.Kept each : group.kept) {
            learn(group, each, known, seeds);
        }
        Deque<Recipe.Make> waiting = fromStates(group, direct);
        long start = now();
        for (int attempts = 0; attempts < 4 * wanted && group.kept.size() < wanted && !past(start, ORIGIN_SECONDS); attempts++) {
            if (group.kept.isEmpty() && attempts > HOPELESS) {
                break;
            }
            Group.Entry entry = null;
            Recipe.Make call = null;
            if (!waiting.isEmpty()) {
                call = waiting.poll();
            } else if (!seeds.isEmpty() && random.nextInt(10) < 5) {
                call = Changes.vary(seeds.get(random.nextInt(seeds.size())), random, maker);
            } else {
                entry = choose(group, direct, others);
                if (entry == null) {
                    break;
                }
                call = draw(entry);
            }
            if (call != null && tried.add(call.text())) {
                attempt(group, call, entry, known, seeds);
            }
        }
        if (group.kept.isEmpty()) {
            group.trouble = trouble(direct);
        }
    }

    private Group.Entry choose(Group group, List<Group.Entry> direct, List<Group.Entry> others) {
        List<Group.Entry> from = new ArrayList<>();
        if (random.nextInt(20) < 17) {
            direct.stream().filter(each -> !each.hopeless()).forEach(from::add);
        }
        boolean anywhere = group.name.isEmpty(); // all calls come to it: those seen to are no better
        if (from.isEmpty() && !anywhere && random.nextInt(10) < 7) {
            others.stream().filter(each -> each.hits > 0 && !each.hopeless()).forEach(from::add);
        }
        if (from.isEmpty()) {
            others.stream().filter(each -> !each.hopeless()).forEach(from::add);
        }
        if (from.isEmpty()) {
            direct.stream().filter(each -> !each.hopeless()).forEach(from::add);
        }
        return from.isEmpty() ? null : from.get(random.nextInt(from.size()));
    }

    private Recipe.Make draw(Group.Entry entry) {
        try {
            return maker.call(entry.member, entry.receiver);
        } catch (Maker.Unfit none) {
            entry.unfit++;
            return null;
        } catch (LinkageError missing) {
            entry.unfit += 100;
            return null;
        }
    }

    private void attempt(Group group, Recipe.Make call, Group.Entry entry, BitSet known, List<Recipe.Make> seeds) {
        Seen seen = caller.see(origin, call, Caller.ORIGIN_STEPS);
        maker.learn(!seen.outcome.equals("unbuilt"));
        if (entry != null && seen.outcome.equals("time")) {
            entry.late++;
        }
        boolean here = group.reachedBy(seen.probes);
        if (here && seen.fine() && entry != null && entry.hits < SURE) {
            seen = steady(call, seen);
        }
        if (!seen.fine()) {
            group.dropped += here ? 1 : 0;
            return;
        }
        if (!here) {
            return;
        }
        if (entry != null) {
            entry.hits++;
        }
        seen.forget();
        Group.Kept kept = new Group.Kept(call, seen);
        group.kept.add(kept);
        everything.add(kept);
        learn(group, kept, known, seeds);
    }

    /** Expressions on what is seen that are not the same in another version of the same are not looked at any more. */
    private Seen steady(Recipe.Make call, Seen seen) {
        Seen again = caller.see(spare, call, Caller.ORIGIN_STEPS);
        boolean changed = false;
        for (Facets.Facet facet : seen.outcome.equals(again.outcome) ? seen.differences(again) : List.<Facets.Facet>of()) {
            changed |= !facet.template.equals("{}") && caller.unsteady.add(facet.template);
        }
        return changed ? caller.see(origin, call, Caller.ORIGIN_STEPS) : seen;
    }

    private void learn(Group group, Group.Kept kept, BitSet known, List<Recipe.Make> seeds) {
        BitSet fresh = (BitSet) kept.seen.probes.clone();
        fresh.and(group.probes);
        fresh.andNot(known);
        if (!fresh.isEmpty()) {
            known.or(fresh);
            seeds.add(kept.call);
        }
    }

    private Deque<Recipe.Make> fromStates(Group group, List<Group.Entry> direct) {
        Deque<Recipe.Make> found = new ArrayDeque<>();
        for (Long[] state : group.states) {
            for (int i = 0; i < 8 && !direct.isEmpty(); i++) {
                Recipe.Make call = draw(direct.get(0));
                if (call == null || call.arguments.size() != state.length) {
                    continue;
                }
                List<Recipe> arguments = new ArrayList<>(call.arguments);
                for (int at = 0; at < state.length; at++) {
                    Recipe known = state[at] == null ? null : Changes.like(arguments.get(at), state[at]);
                    arguments.set(at, known == null ? arguments.get(at) : known);
                }
                found.add(new Recipe.Make(call.owner, call.name, call.types, call.returns, call.overloaded, call.on,
                        arguments));
            }
        }
        return found;
    }

    /** Why no call comes to a function. */
    private String trouble(List<Group.Entry> direct) {
        if (direct.isEmpty()) {
            return "";
        }
        Group.Entry entry = direct.get(0);
        try {
            for (int i = 0; i < 5; i++) { // now and then an argument is null, which is always there
                maker.call(entry.member, entry.receiver);
            }
        } catch (Maker.Unfit what) {
            return what.getMessage();
        } catch (LinkageError missing) {
            return String.valueOf(missing.getMessage());
        }
        return "";
    }

    /** Whatever changes from one version to the same version is no yardstick. */
    private void keepStable() {
        World again = new World(library, classes);
        for (int i = everything.size() - 1; i >= 0; i--) {
            Group.Kept each = everything.get(i);
            each.stable = caller.see(again, each.call, Caller.ORIGIN_STEPS).same(each.seen);
        }
        for (Group group : groups) {
            int before = group.kept.size();
            group.kept.removeIf(each -> !Boolean.TRUE.equals(each.stable));
            group.unstable = before - group.kept.size();
            group.kept.sort(Comparator.comparing((Group.Kept each) -> each.seen.outcome).thenComparing(each -> each.call.weight()));
        }
    }

    // mutants

    private void run() throws IOException {
        if (!load()) {
            return;
        }
        for (Group group : groups) {
            explore(group);
        }
        keepStable();
        for (Group group : groups) {
            report("\"result\":\"origin\",\"group\":" + group.number + ",\"inputs\":" + group.kept.size() + ",\"dropped\":"
                    + group.dropped + ",\"unstable\":" + group.unstable + ",\"trouble\":" + Values.quote(group.trouble));
        }
        Set<Integer> done = new HashSet<>();
        for (String unit : Group.split(job.getProperty("done"))) {
            done.add(Integer.parseInt(unit));
        }
        Map<String, Recipe.Make> calls = new LinkedHashMap<>();
        Map<Integer, World> killed = new LinkedHashMap<>();
        for (Group group : groups) {
            for (int unit : group.units) {
                if (!done.contains(unit) && !group.kept.isEmpty()) {
                    report("\"result\":\"start\",\"unit\":" + unit);
                    runMutant(group, unit, calls, killed);
                }
            }
        }
        share(calls, killed);
        report("\"result\":\"done\"");
    }

    private void runMutant(Group group, int unit, Map<String, Recipe.Make> calls, Map<Integer, World> killed)
            throws IOException {
        String head = "\"unit\":" + unit + ",\"result\":";
        Versions.Compiled compiled = versions.compile(text("mutant" + unit + ".java"), "");
        if (!compiled.error.isEmpty()) {
            report(head + "\"stillborn\",\"reason\":" + Values.quote(compiled.error));
            return;
        }
        int place = places.getOrDefault(unit, -1);
        List<Group.Kept> reaching = new ArrayList<>(group.kept);
        reaching.removeIf(each -> place >= 0 && !each.seen.probes.get(place));
        if (reaching.isEmpty()) {
            report(head + "\"unreached\"");
            return;
        }
        World mutant = new World(library, compiled.classes);
        int[] counts = new int[2];
        Found found = search(reaching, mutant, compiled.classes, counts);
        if (found == null) {
            report(head + (counts[1] > 2 ? "\"stopped\"" : "\"survived\"") + ",\"tried\":" + counts[0]
                    + ",\"reason\":\"the mutant passed the time limit\"");
            return;
        }
        if (found.writable()) {
            found = shrink(found, mutant, compiled.classes);
            calls.putIfAbsent(found.call.text(), found.call);
            killed.put(unit, mutant);
        }
        report(head + "\"killed\",\"tried\":" + counts[0] + ",\"test\":" + found.writable() + ",\"call\":" + found.call.text()
                + ",\"origin\":" + found.origin.json() + ",\"mutant\":" + found.mutant.json());
    }

    /** The first call whose difference a test can state; else the first that shows one. `counts`: calls, late ones. */
    private Found search(List<Group.Kept> reaching, World mutant, Map<String, byte[]> changed, int[] counts) {
        Found found = null;
        int unwritten = 0;
        long start = now();
        for (Group.Kept each : reaching) {
            if (past(start, MUTANT_SECONDS) || counts[1] > 2 || unwritten > MOST_UNWRITTEN) {
                break;
            }
            counts[0]++;
            Seen seen = caller.see(mutant, each.call, Caller.budget(each.seen));
            counts[1] += seen.outcome.equals("time") ? 1 : 0;
            if (!seen.evidence() || seen.same(each.seen)) {
                continue;
            }
            Found confirmed = confirmed(each.call, changed);
            if (confirmed == null) {
                unwritten++;
                continue;
            }
            found = found == null || confirmed.writable() ? confirmed : found;
            if (found.writable()) {
                break;
            }
            unwritten++;
        }
        return found;
    }

    /** The difference once more, where nothing has happened before; null if it is not there. */
    private Found confirmed(Recipe.Make call, Map<String, byte[]> changed) {
        Seen before = caller.see(new World(library, classes), call, Caller.ORIGIN_STEPS);
        if (!before.fine()) {
            return null;
        }
        Seen after = caller.see(new World(library, changed), call, Caller.budget(before));
        return after.evidence() && !after.same(before) ? new Found(call, before, after) : null;
    }

    /** The smallest call on which they still differ in a way that a test can state. */
    private Found shrink(Found first, World mutant, Map<String, byte[]> changed) {
        Found best = first;
        long start = now();
        int tries = 0;
        Set<String> known = new HashSet<>();
        boolean smaller = true;
        while (smaller && tries < MOST_SHRINKS && !past(start, SHRINK_SECONDS)) {
            smaller = false;
            for (Recipe.Make candidate : Changes.smaller(best.call)) {
                if (!known.add(candidate.text())) {
                    continue;
                }
                if (++tries > MOST_SHRINKS || past(start, SHRINK_SECONDS)) {
                    break;
                }
                Found next = both(candidate, mutant);
                if (next != null && alike(next, best)) {
                    best = next;
                    smaller = true;
                    break;
                }
            }
        }
        Found sure = best == first ? first : confirmed(best.call, changed);
        return sure != null && sure.writable() ? sure : first;
    }

    private Found both(Recipe.Make call, World mutant) {
        Seen before = caller.see(origin, call, Caller.ORIGIN_STEPS);
        if (!before.fine()) {
            return null;
        }
        Seen after = caller.see(mutant, call, Caller.budget(before));
        return after.evidence() && !after.same(before) ? new Found(call, before, after) : null;
    }

    private static boolean alike(Found next, Found best) {
        if (!next.writable() || !next.origin.outcome.equals(best.origin.outcome)) {
            return false;
        }
        return next.origin.outcome.equals(Seen.RETURNS)
                || next.origin.facets.get(0).text.equals(best.origin.facets.get(0).text);
    }

    /** Which mutants die on which of the calls that were found. */
    private void share(Map<String, Recipe.Make> calls, Map<Integer, World> killed) {
        List<Recipe.Make> shared = new ArrayList<>(calls.values());
        shared = shared.size() > MOST_SHARED ? new ArrayList<>(shared.subList(0, MOST_SHARED)) : shared;
        List<Seen> origins = new ArrayList<>();
        StringBuilder rows = new StringBuilder();
        for (Recipe.Make call : shared) {
            Seen seen = caller.see(new World(library, classes), call, Caller.ORIGIN_STEPS);
            origins.add(seen);
            rows.append(rows.length() > 0 ? "," : "").append("{\"call\":").append(call.text()).append(",\"origin\":")
                    .append(seen.json()).append('}');
        }
        report("\"result\":\"calls\",\"calls\":[" + rows + "]");
        for (Map.Entry<Integer, World> each : killed.entrySet()) {
            int place = places.getOrDefault(each.getKey(), -1);
            StringBuilder on = new StringBuilder();
            for (int i = 0; i < shared.size(); i++) {
                Seen before = origins.get(i);
                if (!before.fine() || place >= 0 && !before.probes.get(place)) {
                    continue;
                }
                Seen after = caller.see(each.getValue(), shared.get(i), Caller.budget(before));
                if (!after.evidence() || after.same(before) || !before.writable(after)) {
                    continue;
                }
                StringBuilder facets = new StringBuilder();
                for (Facets.Facet facet : before.stated(after)) {
                    facets.append(facets.length() > 0 ? "," : "").append('[').append(Values.quote(facet.subject)).append(',')
                            .append(Values.quote(facet.template)).append(']');
                }
                on.append(on.length() > 0 ? "," : "").append("[" + i + ",\"" + after.outcome + "\",[" + facets + "]]");
            }
            report("\"unit\":" + each.getKey() + ",\"result\":\"kills\",\"on\":[" + on + "]");
        }
    }

    /** Runs the job in the directory named. */
    public static void main(String[] names) throws Exception {
        PrintStream errors = new PrintStream(new FileOutputStream(FileDescriptor.err), true);
        try {
            Project project = new Project(Paths.get(names[0]));
            Guard.post(names[0] + "/");
            project.run();
            Guard.halt(0);
        } catch (Throwable error) {
            error.printStackTrace(errors);
            Guard.halt(4);
        }
    }
}
