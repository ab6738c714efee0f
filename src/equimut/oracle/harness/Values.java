package equimut_;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.regex.Pattern;

/** Arguments from tokens, copies of them, and canonical text of any value. */
final class Values {
    private static final int DEEPEST = 20;
    private static final Pattern ADDRESS = Pattern.compile("@[0-9a-f]+");

    /** Whether a value was met whose text does not tell it from another one. */
    static boolean opaque;

    private Values() {}

    /** Reads one value of a type from the tokens; `at[0]` is the place. */
    static Object decode(Class<?> type, String[] tokens, int[] at) {
        String token = tokens[at[0]++];
        if (token.equals("-")) {
            return null;
        }
        if (type.isArray()) {
            int length = Integer.parseInt(token.substring(1));
            Object array = Array.newInstance(type.getComponentType(), length);
            for (int i = 0; i < length; i++) {
                Array.set(array, i, decode(type.getComponentType(), tokens, at));
            }
            return array;
        }
        if (token.startsWith("s")) {
            return text(token);
        }
        return scalar(type, token);
    }

    private static String text(String token) {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i < token.length(); i += 4) {
            text.append((char) Integer.parseInt(token.substring(i, i + 4), 16));
        }
        return text.toString();
    }

    private static Object scalar(Class<?> type, String token) {
        if (type == double.class || type == Double.class) {
            return Double.longBitsToDouble(Long.parseUnsignedLong(token, 16));
        }
        if (type == float.class || type == Float.class) {
            return (float) Double.longBitsToDouble(Long.parseUnsignedLong(token, 16));
        }
        long number = Long.parseLong(token);
        if (type == boolean.class || type == Boolean.class) {
            return number != 0;
        }
        if (type == char.class || type == Character.class) {
            return (char) number;
        }
        if (type == byte.class || type == Byte.class) {
            return (byte) number;
        }
        if (type == short.class || type == Short.class) {
            return (short) number;
        }
        if (type == long.class || type == Long.class) {
            return number;
        }
        return (int) number;
    }

    /** A fresh argument: arrays are copied, the rest cannot change. */
    static Object copy(Object value) {
        if (value == null || !value.getClass().isArray()) {
            return value;
        }
        int length = Array.getLength(value);
        Object fresh = Array.newInstance(value.getClass().getComponentType(), length);
        if (value.getClass().getComponentType().isArray()) {
            for (int i = 0; i < length; i++) {
                Array.set(fresh, i, copy(Array.get(value, i)));
            }
        } else {
            System.arraycopy(value, 0, fresh, 0, length);
        }
        return fresh;
    }

    /** Canonical text; equal text means equal value, doubles bit by bit except that NaN is NaN. */
    static void render(Object value, StringBuilder out, int depth) throws IllegalAccessException {
        if (depth > DEEPEST) {
            opaque = true;
            out.append("...");
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else if (value instanceof CharSequence) {
            out.append(quote(value.toString()));
        } else if (value instanceof Character) {
            out.append('\'').append(value).append('\'');
        } else if (value.getClass().isArray()) {
            List<Object> items = new ArrayList<>();
            for (int i = 0; i < Array.getLength(value); i++) {
                items.add(Array.get(value, i));
            }
            sequence(items, false, out, depth);
        } else if (value instanceof Collection) {
            sequence((Collection<?>) value, value instanceof Set && !ordered(value), out, depth);
        } else if (value instanceof Map) {
            List<Object> pairs = new ArrayList<>();
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                pairs.add(new Object[] {entry.getKey(), entry.getValue()});
            }
            sequence(pairs, !ordered(value), out, depth);
        } else if (value instanceof Enum || value.getClass().getName().startsWith("java.")) {
            String text = value.toString();
            opaque |= ADDRESS.matcher(text).find();
            out.append(quote(ADDRESS.matcher(text).replaceAll("@")));
        } else {
            // A lambda or an anonymous class is what it does, which its fields do not show.
            opaque |= value.getClass().isSynthetic() || value.getClass().isAnonymousClass();
            fields(value, out, depth);
        }
    }

    /** Whether the order of the elements is that in which they were put in, or a sorted one. */
    private static boolean ordered(Object value) {
        return value instanceof LinkedHashMap || value instanceof LinkedHashSet || value instanceof SortedMap
                || value instanceof SortedSet;
    }

    private static void sequence(Collection<?> items, boolean sorted, StringBuilder out, int depth)
            throws IllegalAccessException {
        List<String> texts = new ArrayList<>();
        for (Object item : items) {
            StringBuilder text = new StringBuilder();
            render(item, text, depth + 1);
            texts.add(text.toString());
        }
        if (sorted) {
            texts.sort(null);
        }
        out.append('[').append(String.join(", ", texts)).append(']');
    }

    /** An object of the code under test: its instance fields, by name. */
    static void fields(Object value, StringBuilder out, int depth) throws IllegalAccessException {
        out.append('{');
        for (Class<?> type = value.getClass(); type.getName().startsWith("unit"); type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
                    field.setAccessible(true);
                    out.append(field.getName()).append('=');
                    render(field.get(value), out, depth + 1);
                    out.append(';');
                }
            }
        }
        out.append('}');
    }

    /** A JSON string in ASCII. */
    static String quote(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || c > '~') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }
}
