package equimut_;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Makes recipes of any type: from literals, through constructors, factories and constants, a few levels deep. */
final class Maker {
    private static final int DEEPEST = 3;
    private static final int MOST_WAYS = 12;
    private static final int MOST_SUBTYPES = 6;
    private static final Set<String> HOLDERS = Set.of("java.lang.Iterable", "java.util.Collection", "java.util.List");
    /** What is not made: it would reach the machine, wait, or be different each time. */
    private static final List<String> AVOIDED = Arrays.asList("java.lang.Thread", "java.lang.ClassLoader",
            "java.lang.Process", "java.lang.Runtime", "java.lang.Module", "java.net.", "java.io.File",
            "java.io.RandomAccessFile", "java.io.Console", "java.util.Timer", "java.util.concurrent.",
            "java.security.", "java.lang.reflect.", "java.lang.invoke.", "java.nio.file.", "java.nio.channels.",
            "java.util.logging.", "java.time.Clock", "java.time.InstantSource", "java.util.Scanner");
    /** Subtypes of what the library itself declares. */
    private static final Map<String, String> STOCK = Map.ofEntries(
            Map.entry("java.io.InputStream", "java.io.ByteArrayInputStream"),
            Map.entry("java.io.OutputStream", "java.io.ByteArrayOutputStream"),
            Map.entry("java.io.Reader", "java.io.StringReader"), Map.entry("java.io.Writer", "java.io.StringWriter"),
            Map.entry("java.lang.Appendable", "java.lang.StringBuilder"),
            Map.entry("java.lang.Number", "java.lang.Integer"), Map.entry("java.util.Queue", "java.util.ArrayDeque"),
            Map.entry("java.util.Deque", "java.util.ArrayDeque"), Map.entry("java.util.SortedMap", "java.util.TreeMap"),
            Map.entry("java.util.NavigableMap", "java.util.TreeMap"),
            Map.entry("java.util.SortedSet", "java.util.TreeSet"),
            Map.entry("java.util.NavigableSet", "java.util.TreeSet"),
            Map.entry("java.util.Calendar", "java.util.GregorianCalendar"),
            Map.entry("java.io.Closeable", "java.io.StringReader"),
            Map.entry("java.lang.AutoCloseable", "java.io.StringReader"),
            Map.entry("java.lang.Readable", "java.io.StringReader"),
            Map.entry("java.io.DataInput", "java.io.DataInputStream"),
            Map.entry("java.io.DataOutput", "java.io.DataOutputStream"));
    private static final Set<String> NOT_STEPS = Set.of("wait", "notify", "notifyAll", "getClass", "hashCode", "equals",
            "toString", "clone", "finalize", "close", "run", "await", "join", "take");
    private static final String GETTER = "(get|is|has|to|as)[A-Z].*|size|length|isEmpty|contains.*|indexOf|lastIndexOf";

    /** There is no way to make a value of a type. */
    static final class Unfit extends Exception {
        Unfit(String what) {
            super(what, null, false, false);
        }
    }

    /** One way to make an object, and how often it went well. */
    private static final class Way {
        final Member member;
        int tried;
        int failed;

        Way(Member member) {
            this.member = member;
        }

        double worth() {
            int cost = member instanceof Executable ? ((Executable) member).getParameterCount() : 0;
            return (1.0 + tried - failed) / (1.0 + tried) / (1 + cost);
        }
    }

    private final World world;
    private final Access access;
    private final Random random;
    private final Map<Class<?>, List<Way>> ways = new HashMap<>();
    private final Map<Class<?>, List<Method>> steps = new HashMap<>();
    private final List<Way> used = new ArrayList<>();
    /** Values of the function in hand: its literals among them. */
    Pool pool = new Pool();

    /** Plain values to choose from. */
    static final class Pool {
        final List<Long> integers = new ArrayList<>();
        final List<Double> reals = new ArrayList<>();
        final List<String> texts = new ArrayList<>();
        final List<Character> letters = new ArrayList<>();
    }

    Maker(World world, Access access, Random random) {
        this.world = world;
        this.access = access;
        this.random = random;
    }

    /** What the last recipes came to: ways that fail are taken less often. */
    void learn(boolean fine) {
        for (Way way : used) {
            way.tried++;
            way.failed += fine ? 0 : 1;
        }
        used.clear();
    }

    /** A call of a method or constructor, on an object of a type where it needs one. */
    Recipe.Make call(Executable member, Class<?> receiver) throws Unfit {
        Recipe on = null;
        if (receiver != null) {
            on = grown(object(receiver, 0), receiver, 0, 0.65);
        }
        return make(member, on, 0);
    }

    private Recipe.Make make(Executable member, Recipe on, int depth) throws Unfit {
        Class<?> owner = member.getDeclaringClass();
        String name = member instanceof Constructor ? World.CONSTRUCTOR : member.getName();
        Type[] generic = member.getGenericParameterTypes();
        Class<?>[] types = member.getParameterTypes();
        List<Recipe> arguments = new ArrayList<>();
        for (int i = 0; i < types.length; i++) {
            Type type = generic.length == types.length ? generic[i] : types[i];
            Recipe made = value(type, types[i], depth + 1);
            arguments.add(made);
        }
        Class<?> result = member instanceof Method ? ((Method) member).getReturnType() : owner;
        return new Recipe.Make(owner.getName(), name, Access.names(types), result.getName(), Access.overloaded(member), on,
                arguments);
    }

    /** A recipe for a type; `raw` is what is left of it at run time. */
    Recipe value(Type type, Class<?> raw, int depth) throws Unfit {
        if (!raw.isPrimitive() && random.nextInt(40) == 0) {
            return new Recipe.Literal(raw.getName(), null);
        }
        Recipe plain = plain(raw);
        if (plain != null) {
            return plain;
        }
        if (raw.isArray()) {
            Class<?> component = raw.getComponentType();
            Type inner = type instanceof GenericArrayType ? ((GenericArrayType) type).getGenericComponentType() : component;
            return new Recipe.Items(component.getName(), items(inner, component, depth, length()));
        }
        if (HOLDERS.contains(raw.getName()) || raw == Set.class) {
            Type item = argument(type, 0);
            return new Recipe.Items(raw == Set.class ? "set" : "list", items(item, raw(item), depth, length()));
        }
        if (raw == Map.class) {
            List<Recipe> pairs = new ArrayList<>();
            for (int left = length() / 2; left > 0; left--) {
                pairs.add(value(argument(type, 0), raw(argument(type, 0)), depth + 1));
                pairs.add(value(argument(type, 1), raw(argument(type, 1)), depth + 1));
            }
            return new Recipe.Items("map", pairs);
        }
        if (raw == Iterator.class) {
            Type item = argument(type, 0);
            Recipe list = new Recipe.Items("list", items(item, raw(item), depth, length()));
            return new Recipe.Make("java.util.List", "iterator", new String[0], raw.getName(), false, list,
                    Collections.emptyList());
        }
        if (raw == Comparator.class) {
            String order = random.nextBoolean() ? "naturalOrder" : "reverseOrder";
            return new Recipe.Make(raw.getName(), order, new String[0], raw.getName(), false, null, Collections.emptyList());
        }
        if (raw == Class.class) {
            return new Recipe.ClassName(random.nextBoolean() ? "java.lang.String" : "java.lang.Integer");
        }
        Recipe lambda = raw.isInterface() && access.to(raw) ? lambda(raw, depth) : null;
        return lambda != null ? lambda : grown(object(raw, depth), raw, depth, 0.2);
    }

    private List<Recipe> items(Type type, Class<?> raw, int depth, int count) throws Unfit {
        List<Recipe> items = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (!items.isEmpty() && random.nextInt(5) == 0) {
                items.add(items.get(random.nextInt(items.size())));
            } else {
                items.add(value(type, raw, depth + 1));
            }
        }
        return items;
    }

    private int length() {
        int[] often = {0, 1, 1, 2, 2, 3, 3, 4, 5, 8};
        return often[random.nextInt(often.length)];
    }

    static Type argument(Type type, int place) {
        if (type instanceof ParameterizedType) {
            Type[] all = ((ParameterizedType) type).getActualTypeArguments();
            if (place < all.length) {
                return all[place];
            }
        }
        return Object.class;
    }

    static Class<?> raw(Type type) {
        if (type instanceof Class) {
            return (Class<?>) type;
        }
        if (type instanceof ParameterizedType) {
            return raw(((ParameterizedType) type).getRawType());
        }
        if (type instanceof TypeVariable) {
            return raw(((TypeVariable<?>) type).getBounds()[0]);
        }
        if (type instanceof WildcardType) {
            WildcardType wild = (WildcardType) type;
            return raw(wild.getLowerBounds().length > 0 ? wild.getLowerBounds()[0] : wild.getUpperBounds()[0]);
        }
        return type instanceof GenericArrayType
                ? java.lang.reflect.Array.newInstance(raw(((GenericArrayType) type).getGenericComponentType()), 0).getClass()
                : Object.class;
    }

    /** A number, a character, a text, a constant of an enum; null for other types. */
    private Recipe plain(Class<?> raw) throws Unfit {
        if (raw == boolean.class || raw == Boolean.class) {
            return new Recipe.Literal(raw.getName(), random.nextBoolean());
        }
        if (raw == char.class || raw == Character.class) {
            return new Recipe.Literal(raw.getName(), letter());
        }
        if (raw == String.class || raw == CharSequence.class) {
            return new Recipe.Literal("java.lang.String", text());
        }
        if (raw == Object.class || raw == Comparable.class || raw == java.io.Serializable.class) {
            return random.nextInt(3) > 0 ? new Recipe.Literal("java.lang.String", text())
                    : new Recipe.Literal("java.lang.Integer", (int) integer());
        }
        if (raw.isEnum()) {
            List<Recipe> all = constants(raw);
            if (all.isEmpty()) {
                throw new Unfit(raw.getSimpleName());
            }
            return all.get(random.nextInt(all.size()));
        }
        Object number = number(raw);
        return number == null ? null : new Recipe.Literal(raw.getName(), number);
    }

    private Object number(Class<?> raw) {
        if (raw == int.class || raw == Integer.class) {
            return (int) integer();
        }
        if (raw == long.class || raw == Long.class) {
            return integer();
        }
        if (raw == short.class || raw == Short.class) {
            return (short) integer();
        }
        if (raw == byte.class || raw == Byte.class) {
            return (byte) integer();
        }
        if (raw == double.class || raw == Double.class) {
            return real();
        }
        return raw == float.class || raw == Float.class ? (Object) (float) real() : null;
    }

    long integer() {
        int kind = random.nextInt(10);
        if (kind < 4 || pool.integers.isEmpty()) {
            return random.nextInt(9) - 2;
        }
        long value = pool.integers.get(random.nextInt(pool.integers.size()));
        return kind < 8 ? value : value + random.nextInt(5) - 2;
    }

    private double real() {
        if (pool.reals.isEmpty() || random.nextInt(3) == 0) {
            return random.nextInt(21) / 2.0 - 2;
        }
        return pool.reals.get(random.nextInt(pool.reals.size()));
    }

    char letter() {
        if (pool.letters.isEmpty() || random.nextInt(3) == 0) {
            return "ab c0A-9z".charAt(random.nextInt(9));
        }
        return pool.letters.get(random.nextInt(pool.letters.size()));
    }

    String text() {
        int kind = random.nextInt(10);
        if (kind < 6 && !pool.texts.isEmpty()) {
            return pool.texts.get(random.nextInt(pool.texts.size()));
        }
        StringBuilder out = new StringBuilder();
        for (int left = length(); left > 0; left--) {
            out.append(letter());
        }
        return kind == 9 && !pool.texts.isEmpty() ? out + pool.texts.get(random.nextInt(pool.texts.size())) : out.toString();
    }

    private List<Recipe> constants(Class<?> raw) {
        List<Recipe> found = new ArrayList<>();
        for (Field field : raw.getDeclaredFields()) {
            if (field.isEnumConstant() && access.to((Member) field)) {
                found.add(new Recipe.Constant(raw.getName(), field.getName()));
            }
        }
        return found;
    }

    private Recipe lambda(Class<?> face, int depth) throws Unfit {
        Method only = null;
        for (Method method : face.getMethods()) {
            if (Modifier.isAbstract(method.getModifiers()) && !isObjects(method)) {
                if (only != null || method.getTypeParameters().length > 0) {
                    return null;
                }
                only = method;
            }
        }
        if (only == null || face.getName().equals("java.lang.AutoCloseable") || face.getName().equals("java.io.Closeable")) {
            return null;
        }
        Class<?> result = only.getReturnType();
        Recipe answer = null;
        if (result != void.class) {
            answer = depth >= DEEPEST && plain(result) == null ? new Recipe.Literal(result.getName(), null)
                    : value(result, result, depth + 1);
        }
        return new Recipe.Lambda(face.getName(), only.getName(), only.getParameterCount(), answer);
    }

    private static boolean isObjects(Method method) {
        try {
            Object.class.getMethod(method.getName(), method.getParameterTypes());
            return true;
        } catch (NoSuchMethodException none) {
            return false;
        }
    }

    /** An object through one of the ways to make it. */
    Recipe object(Class<?> raw, int depth) throws Unfit {
        if (depth > DEEPEST) {
            throw new Unfit(raw.getSimpleName());
        }
        if (raw == java.io.File.class || raw == java.nio.file.Path.class) {
            return file(raw);
        }
        if (raw == java.util.Random.class) {
            List<Recipe> seed = Arrays.asList(new Recipe.Literal("long", (long) random.nextInt(3)));
            return new Recipe.Make(raw.getName(), World.CONSTRUCTOR, new String[] {"long"}, raw.getName(), false, null,
                    seed);
        }
        List<Way> all = ways.get(raw);
        if (all == null) {
            all = ways(raw);
            ways.put(raw, all);
        }
        List<Way> left = new ArrayList<>(all);
        while (!left.isEmpty()) {
            Way way = left.remove(choose(left));
            try {
                Recipe made = way.member instanceof Field
                        ? new Recipe.Constant(way.member.getDeclaringClass().getName(), way.member.getName())
                        : make((Executable) way.member, null, depth);
                used.add(way);
                return made;
            } catch (Unfit deep) {
                continue;
            }
        }
        throw new Unfit(raw.getSimpleName());
    }

    private Recipe file(Class<?> raw) throws Unfit {
        if (!Guard.stands()) { // whatever the code does with files must stay in the directory of the run
            throw new Unfit(raw.getSimpleName());
        }
        String[] names = {"a", "b.txt", "c/d.tar.gz", "e.", ".f", ""};
        List<Recipe> name = Arrays.asList(new Recipe.Literal("java.lang.String", names[random.nextInt(names.length)]));
        String[] types = {"java.lang.String"};
        return raw == java.io.File.class ? new Recipe.Make("java.io.File", World.CONSTRUCTOR, types, raw.getName(), true, null, name)
                : new Recipe.Make("java.nio.file.Path", "of", new String[] {"java.lang.String", "[Ljava.lang.String;"},
                        raw.getName(), false, null, Arrays.asList(name.get(0), new Recipe.Items("java.lang.String", Collections.emptyList())));
    }

    private int choose(List<Way> from) {
        double sum = 0;
        for (Way way : from) {
            sum += way.worth();
        }
        double at = random.nextDouble() * sum;
        for (int i = 0; i < from.size(); i++) {
            at -= from.get(i).worth();
            if (at <= 0) {
                return i;
            }
        }
        return from.size() - 1;
    }

    private List<Way> ways(Class<?> raw) throws Unfit {
        List<Way> found = new ArrayList<>();
        if (avoided(raw)) {
            return found;
        }
        add(raw, raw, found);
        boolean open = raw.isInterface() || Modifier.isAbstract(raw.getModifiers());
        if (open && STOCK.containsKey(raw.getName())) {
            try {
                Class<?> stock = world.type(STOCK.get(raw.getName()));
                add(stock, stock, found);
            } catch (ClassNotFoundException none) {
                throw new Unfit(raw.getSimpleName());
            }
        } else if (open && found.size() < MOST_WAYS) {
            for (Class<?> type : subtypes(raw)) {
                add(type, raw, found);
            }
        }
        found.sort(Comparator.comparingDouble(way -> -way.worth()));
        return found.size() > MOST_WAYS ? new ArrayList<>(found.subList(0, MOST_WAYS)) : found;
    }

    static boolean avoided(Class<?> raw) {
        return AVOIDED.stream().anyMatch(raw.getName()::startsWith);
    }

    private void add(Class<?> type, Class<?> wanted, List<Way> found) {
        if (!access.to(type) || avoided(type)) {
            return;
        }
        if (!Modifier.isAbstract(type.getModifiers())) {
            for (Constructor<?> each : type.getDeclaredConstructors()) {
                if (access.to(each)) {
                    found.add(new Way(each));
                }
            }
        }
        for (Method each : type.getDeclaredMethods()) {
            if (Access.isStatic(each) && access.to(each) && wanted.isAssignableFrom(each.getReturnType())
                    && !each.getName().matches("now|valueOf|copyOf|getInstance") || isValueOf(each, wanted)) {
                found.add(new Way(each));
            }
        }
        for (Field each : type.getDeclaredFields()) {
            boolean constant = Access.isStatic(each) && Modifier.isFinal(each.getModifiers());
            if (constant && access.to((Member) each) && wanted.isAssignableFrom(each.getType())) {
                found.add(new Way(each));
            }
        }
    }

    private boolean isValueOf(Method method, Class<?> wanted) {
        return method.getName().matches("valueOf|copyOf|getInstance") && Access.isStatic(method) && access.to(method)
                && method.getParameterCount() > 0 && wanted.isAssignableFrom(method.getReturnType());
    }

    /** Concrete classes of the project that are a type: those of its package first. */
    List<Class<?>> subtypes(Class<?> raw) {
        List<Class<?>> found = new ArrayList<>();
        if (raw.getName().startsWith("java.") && raw != Object.class && !world.owns(raw)) {
            return found;
        }
        List<String> names = new ArrayList<>(world.library().names());
        String near = raw.getPackageName() + ".";
        names.sort(Comparator.comparing((String name) -> !name.startsWith(near)).thenComparing(String::length));
        for (String name : names) {
            if (found.size() >= MOST_SUBTYPES) {
                break;
            }
            try {
                Class<?> type = world.type(name);
                if (type != raw && raw.isAssignableFrom(type) && access.to(type) && !type.isInterface()
                        && !Modifier.isAbstract(type.getModifiers()) && !Access.isInner(type)) {
                    found.add(type);
                }
            } catch (ClassNotFoundException | LinkageError missing) {
                continue; // needs what is not on the class path
            }
        }
        return found;
    }

    /** With some of its methods called first, now and then. */
    private Recipe grown(Recipe base, Class<?> declared, int depth, double chance) {
        if (depth >= DEEPEST || random.nextDouble() > chance || !(base instanceof Recipe.Make)) {
            return base;
        }
        Class<?> type = declared;
        Recipe.Make made = (Recipe.Make) base;
        try {
            if (made.name.equals(World.CONSTRUCTOR)) {
                type = world.type(made.owner);
            }
        } catch (ClassNotFoundException gone) {
            return base;
        }
        List<Method> all = steps.computeIfAbsent(type, this::stepsOf);
        List<Recipe.Make> then = new ArrayList<>();
        int[] often = {1, 1, 1, 2, 2, 3, 4, 6};
        for (int left = all.isEmpty() ? 0 : often[random.nextInt(often.length)]; left > 0; left--) {
            Method method = all.get(random.nextInt(all.size()));
            try {
                then.add(make(method, null, depth + 1));
            } catch (Unfit deep) {
                continue;
            }
        }
        return then.isEmpty() ? base : new Recipe.Grown(base, type.getName(), then);
    }

    /** Methods that may change an object; those that look like it stand there several times. */
    private List<Method> stepsOf(Class<?> type) {
        List<Method> found = new ArrayList<>();
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            for (Method method : each.getDeclaredMethods()) {
                if (Access.isStatic(method) || method.isBridge() || NOT_STEPS.contains(method.getName())
                        || !access.to(method) || method.getName().matches(GETTER)) {
                    continue;
                }
                boolean changes = method.getReturnType() == void.class
                        || method.getName().matches("(add|put|set|append|insert|push|offer|write|with|register).*");
                for (int times = changes && method.getParameterCount() > 0 ? 4 : 1; times > 0; times--) {
                    found.add(method);
                }
            }
        }
        found.sort(Comparator.comparing(Method::toString));
        return found;
    }
}
