import java.io.*;
import java.lang.reflect.*;
import java.util.*;

/** Calls every overload of the methods named on standard input on many values, and prints what they did. */
public class JdkContracts {
    static final Object[] INTS = {Integer.MIN_VALUE, -1000, -3, -2, -1, 0, 1, 2, 3, 5, 10, 16, 31, 32, 36, 97, 255, 65535, 0x1F600, Integer.MAX_VALUE};
    static final Object[] LONGS = {Long.MIN_VALUE, -3L, -1L, 0L, 1L, 2L, 64L, 1L << 40, Long.MAX_VALUE};
    static final Object[] CHARS = {'\0', '0', '9', 'a', 'Z', ' ', '\n', '\u007f', '\u00e9', '\ud800', '\udc00', '\uffff'};
    static final Object[] DOUBLES = {Double.NaN, -0.0, 0.0, 1.5, -1.0, Double.POSITIVE_INFINITY, Double.MIN_VALUE, 1e300};
    static final Object[] FLOATS = {Float.NaN, -0.0f, 0.0f, 1.5f, -2f, Float.NEGATIVE_INFINITY};
    static final String[] STRINGS = {"", "a", "ab", "aba", " x ", "12", "-7", "\u00e9", "true", "\ud83d\ude00", "a\nb", "z1 "};
    static final Random RANDOM = new Random(17);

    static Object[] pool(Class<?> type) {
        if (type == int.class) return INTS;
        if (type == long.class) return LONGS;
        if (type == char.class) return CHARS;
        if (type == double.class) return DOUBLES;
        if (type == float.class) return FLOATS;
        if (type == boolean.class) return new Object[] {true, false};
        if (type == short.class) return new Object[] {(short) -1, (short) 7};
        if (type == byte.class) return new Object[] {(byte) -1, (byte) 7};
        if (type == String.class || type == CharSequence.class) return with(STRINGS, (Object) null);
        if (type == Object.class) return new Object[] {null, "a", new String("a"), 5, 5.0, new Object()};
        if (type.isArray() && type.getComponentType() == Object.class)
            return new Object[] {new Object[0], new Object[] {"a", null}, new String[] {"b"}};
        if (type.isArray()) return new Object[] {Array.newInstance(type.getComponentType(), 0), Array.newInstance(type.getComponentType(), 3)};
        if (type == StringBuffer.class) return new Object[] {new StringBuffer("ab")};
        if (Collection.class.isAssignableFrom(type) || type == Iterable.class) return new Object[] {new ArrayList<>(List.of("a", "b"))};
        if (type == Locale.class) return new Object[] {Locale.ROOT};
        return new Object[] {null};
    }

    static Object[] with(Object[] values, Object more) {
        Object[] all = Arrays.copyOf(values, values.length + 1, Object[].class);
        all[values.length] = more;
        return all;
    }

    /** A new object of a class each time: the first few are small, and two calls with one number are equal. */
    static Object receiver(String owner, int number) throws Exception {
        String text = STRINGS[number % STRINGS.length];
        int size = number % 4;
        switch (owner) {
            case "String": return new String(text);
            case "StringBuffer": return new StringBuffer(text);
            case "StringBuilder": case "CharSequence": return new StringBuilder(text);
            case "Object": return new Object[] {text, number, List.of(text)}[number % 3];
            case "Enum": return Thread.State.values()[number % 6];
            case "Optional": return number % 2 == 0 ? Optional.empty() : Optional.of(text);
            case "BitSet": { BitSet bits = new BitSet(); for (int i = 0; i < size; i++) bits.set(i * 70); return bits; }
            case "Iterator": return filled(new ArrayList<>(), size).iterator();
            case "ListIterator": return ((List<?>) filled(new ArrayList<>(), size)).listIterator();
            case "Enumeration": return new Vector<>(filled(new ArrayList<>(), size)).elements();
            case "EnumMap": { Map<Thread.State, Object> map = new EnumMap<>(Thread.State.class); for (int i = 0; i < size; i++) map.put(Thread.State.values()[i], "a"); return map; }
            case "EnumSet": { Set<Thread.State> set = EnumSet.noneOf(Thread.State.class); for (int i = 0; i < size; i++) set.add(Thread.State.values()[i]); return set; }
        }
        if (named(owner).getPackageName().equals("java.io")) return stream(named(owner), size);
        Map<String, String> made = Map.of("List", "ArrayList", "Collection", "ArrayList", "Set", "HashSet", "Map", "HashMap", "Deque", "ArrayDeque",
            "Queue", "LinkedList", "SortedMap", "TreeMap", "NavigableMap", "TreeMap", "SortedSet", "TreeSet", "NavigableSet", "TreeSet");
        Object object = Class.forName("java.util." + made.getOrDefault(owner, owner)).getDeclaredConstructor().newInstance();
        if (object instanceof Map) { for (int i = 0; i < size; i++) ((Map<Object, Object>) object).put("ab".substring(0, i % 2 + 1) + i / 2, "a"); return object; }
        return filled((Collection<Object>) object, size);
    }

    static Collection<Object> filled(Collection<Object> empty, int size) {
        for (int i = 0; i < size; i++) empty.add(i == 1 ? "a" : "b" + i);
        return empty;
    }

    static String shown(Object value, List<Object> seen) {
        if (value == null) return "null";
        if (value instanceof Character) return "int " + (int) (char) value;
        if (value instanceof Boolean) return "bool " + value;
        if (value instanceof Double || value instanceof Float) return "float " + value;
        if (value instanceof Number) return "int " + value;
        return reference(value, seen);
    }

    static String reference(Object value, List<Object> seen) {
        if (value == null) return "null";
        int id = 0;
        while (id < seen.size() && seen.get(id) != value) id++;
        if (id == seen.size()) seen.add(value);
        int size = value instanceof CharSequence ? ((CharSequence) value).length() : value instanceof Collection ? ((Collection<?>) value).size()
            : value instanceof Map ? ((Map<?, ?>) value).size() : value.getClass().isArray() ? Array.getLength(value) : -1;
        return "ref " + id + " " + size;
    }

    static String content(Object value) {
        if (value == null || value instanceof InputStream || value instanceof Reader || value instanceof Iterator || value instanceof Enumeration) return "?";
        if (value.getClass() == Object.class) return "object";
        return value.getClass().isArray() ? "array " + Array.getLength(value) : value.toString();
    }

    public static void main(String[] given) throws Exception {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, "UTF-8");
        for (String line : new BufferedReader(new InputStreamReader(System.in)).lines().toList()) {
            String[] words = line.split(" ");
            Class<?> type;
            type = named(words[0]);
            for (Method method : type.getMethods()) {
                if (!method.getName().equals(words[1]) || method.getParameterCount() != Integer.parseInt(words[2]) || method.isBridge() && hidden(type, method)) continue;
                boolean isStatic = Modifier.isStatic(method.getModifiers());
                StringBuilder types = new StringBuilder(method.getReturnType().getSimpleName());
                for (Class<?> each : method.getParameterTypes()) types.append(' ').append(each.getSimpleName());
                for (int number = 0; number < 60; number++) call(words, type, method, isStatic, types.toString(), number, out);
            }
        }
        out.flush();
    }

    static Class<?> named(String name) throws ClassNotFoundException {
        for (String place : new String[] {"java.lang.", "java.util."})
            try { return Class.forName(place + name); } catch (ClassNotFoundException e) { continue; }
        return Class.forName("java.io." + name);
    }

    /** A stream over a few bytes, or over none; a file that is there, or not. */
    static Object stream(Class<?> type, int size) throws Exception {
        if (type == File.class) return new File(size % 2 == 0 ? System.getProperty("java.home") : "no such file");
        if (type == FileInputStream.class) return new FileInputStream(new File(System.getProperty("java.home"), "release"));
        if (type == FileReader.class) return new FileReader(new File(System.getProperty("java.home"), "release"));
        if (type == CharArrayReader.class) return new CharArrayReader("a\u00e9\n".substring(0, size % 4).toCharArray());
        Object bytes = new ByteArrayInputStream(new byte[] {-1, 0, 65}, 0, size % 4), text = new StringReader("a\n\uffff".substring(0, size % 4));
        if (type == Reader.class || type == StringReader.class) return text;
        if (type == InputStream.class || type == ByteArrayInputStream.class) return bytes;
        if (type == ByteArrayOutputStream.class) { ByteArrayOutputStream out = new ByteArrayOutputStream(); for (int i = 0; i < size; i++) out.write(i); return out; }
        Class<?> inner = Reader.class.isAssignableFrom(type) && type != InputStreamReader.class ? Reader.class : InputStream.class;
        if (type == FilterReader.class) return new FilterReader((Reader) text) { };
        Constructor<?> made = type.getDeclaredConstructor(inner);
        made.setAccessible(type != FilterInputStream.class);
        return type == FilterInputStream.class ? new FilterInputStream((InputStream) bytes) { } : made.newInstance(inner == Reader.class ? text : bytes);
    }

    static boolean hidden(Class<?> type, Method bridge) {
        return Arrays.stream(type.getMethods()).anyMatch(each -> !each.isBridge() && each.getName().equals(bridge.getName())
            && Arrays.equals(each.getParameterTypes(), bridge.getParameterTypes()));
    }

    static void call(String[] words, Class<?> type, Method method, boolean isStatic, String types, int number, PrintStream out) throws Exception {
        Object[] arguments = new Object[method.getParameterCount()];
        for (int i = 0; i < arguments.length; i++) {
            Object[] values = pool(method.getParameterTypes()[i]);
            arguments[i] = values[arguments.length == 1 ? number % values.length : RANDOM.nextInt(values.length)];
            if (arguments[i] instanceof Integer && arguments.length > 1 && RANDOM.nextBoolean()) arguments[i] = RANDOM.nextInt(4);
            if (words[0].equals("Arrays") && arguments[i] instanceof Integer) arguments[i] = (Integer) arguments[i] % 50;
        }
        Object one = isStatic ? null : receiver(words[0], number), other = isStatic ? null : receiver(words[0], number);
        if (!isStatic && number % 7 == 3 && arguments.length == 1 && method.getParameterTypes()[0].isInstance(one)) { arguments[0] = one; other = one; }
        List<Object> seen = new ArrayList<>();
        StringBuilder told = new StringBuilder(String.join(" ", words)).append('\t').append(types).append('\t').append(isStatic ? "static" : shown(one, seen));
        for (int i = 0; i < arguments.length; i++)
            told.append('\t').append(method.getParameterTypes()[i].isPrimitive() ? shown(arguments[i], seen) : reference(arguments[i], seen));
        String before = content(one), first = outcome(method, one, arguments, seen), after = content(one), second = outcome(method, other, arguments, seen);
        boolean same = first.substring(first.indexOf('|')).equals(second.substring(second.indexOf('|')));
        out.println(told + "\t" + first.substring(0, first.indexOf('|')) + "\t" + (same && before.equals(after) ? "quiet" : "effect"));
    }

    static String outcome(Method method, Object receiver, Object[] arguments, List<Object> seen) throws Exception {
        try {
            method.setAccessible(Modifier.isPublic(method.getDeclaringClass().getModifiers()));
            Object result = method.invoke(receiver, arguments);
            return (method.getReturnType() == void.class ? "void" : method.getReturnType().isPrimitive() ? shown(result, seen) : reference(result, seen)) + "|" + content(result);
        } catch (InvocationTargetException e) {
            return "threw|" + e.getCause().getClass().getName();
        }
    }
}
