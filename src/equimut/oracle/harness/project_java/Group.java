package equimut_;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Properties;
import java.util.regex.Pattern;

/** One function of the file, with its mutants and the calls that come to it. */
final class Group {
    final int number;
    /** The classes around it, as `Outer.Inner`. */
    final String owner;
    final String name;
    /** Simple names of its parameters' types. */
    final String[] types;
    /** The places in it. */
    final BitSet probes = new BitSet();
    final List<Integer> units = new ArrayList<>();
    final Maker.Pool pool = new Maker.Pool();
    /** Arguments that the prover thinks telling; null where it does not say. */
    final List<Long[]> states = new ArrayList<>();
    final List<Kept> kept = new ArrayList<>();
    int dropped;
    int unstable;
    String trouble = "";

    /** A call that the origin is fine with. */
    static final class Kept {
        final Recipe.Make call;
        final Seen seen;
        /** Whether it does the same in another version of the same; null as long as nobody knows. */
        Boolean stable;

        Kept(Recipe.Make call, Seen seen) {
            this.call = call;
            this.seen = seen;
        }
    }

    /** A method or constructor that a test can call. */
    static final class Entry {
        final Executable member;
        /** The class of the object that it is called on. */
        final Class<?> receiver;
        int hits;
        int late;
        int unfit;

        Entry(Executable member, Class<?> receiver) {
            this.member = member;
            this.receiver = receiver;
        }

        boolean hopeless() {
            return late > 1 || unfit > 20;
        }
    }

    Group(int number, Properties job, List<String> pool) {
        String key = "group." + number + ".";
        this.number = number;
        owner = job.getProperty(key + "class");
        name = job.getProperty(key + "method");
        types = split(job.getProperty(key + "types"));
        probes.set(Integer.parseInt(job.getProperty(key + "first")), Integer.parseInt(job.getProperty(key + "last")) + 1);
        for (String unit : split(job.getProperty(key + "units"))) {
            units.add(Integer.parseInt(unit));
        }
        for (String state : split(job.getProperty(key + "states"))) {
            String[] values = state.split("/", -1);
            Long[] numbers = new Long[values.length];
            for (int i = 0; i < values.length; i++) {
                numbers[i] = values[i].isEmpty() ? null : Long.valueOf(values[i]);
            }
            states.add(numbers);
        }
        for (String line : pool) {
            read(line);
        }
    }

    static String[] split(String text) {
        return text == null || text.isEmpty() ? new String[0] : text.split(" ");
    }

    private void read(String line) {
        String value = line.substring(2);
        switch (line.charAt(0)) {
            case 'i':
                pool.integers.add(Long.valueOf(value));
                break;
            case 'd':
                pool.reals.add(Double.valueOf(value));
                break;
            case 'c':
                pool.letters.add((char) Integer.parseInt(value));
                break;
            default:
                StringBuilder text = new StringBuilder();
                for (int i = 0; i + 4 <= value.length(); i += 4) {
                    text.append((char) Integer.parseInt(value.substring(i, i + 4), 16));
                }
                pool.texts.add(text.toString());
        }
    }

    /** Whether a member is this function. */
    boolean is(Executable member) {
        String holder = member.getDeclaringClass().getName();
        String inside = holder.substring(holder.lastIndexOf('.') + 1).replace('$', '.');
        String called = member instanceof Constructor ? World.CONSTRUCTOR : member.getName();
        if (!inside.equals(owner) || !called.equals(name) || member.getParameterCount() != types.length) {
            return false;
        }
        Class<?>[] real = member.getParameterTypes();
        for (int i = 0; i < types.length; i++) {
            // A type variable has another name at run time.
            boolean variable = Pattern.matches("[A-Z][A-Z0-9]?(\\[\\])*", types[i]);
            if (!variable && !real[i].getSimpleName().equals(types[i])) {
                return false;
            }
        }
        return true;
    }

    boolean reachedBy(BitSet places) {
        return probes.intersects(places);
    }
}
