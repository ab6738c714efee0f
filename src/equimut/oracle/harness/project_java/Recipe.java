package equimut_;

import java.lang.reflect.Array;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/** How a value is made: built in any version of the project, varied, made smaller, and written as source. */
abstract class Recipe {
    /** The value, new each time. */
    abstract Object build(World world) throws Exception;

    /** For the report; arrays by the names that sources use, `$` before the name of an inner class. */
    abstract void json(StringBuilder out);

    /** The recipes that this one consists of. */
    List<Recipe> parts() {
        return Collections.emptyList();
    }

    /** The same with other parts, as many of them. */
    Recipe with(List<Recipe> parts) {
        return this;
    }

    /** How much there is to read: shrinking makes it less. */
    long weight() {
        long sum = 10;
        for (Recipe part : parts()) {
            sum += part.weight();
        }
        return sum;
    }

    /** The type that a variable for the value has; null where that is the caller's to know. */
    String type() {
        return null;
    }

    final String text() {
        StringBuilder out = new StringBuilder();
        json(out);
        return out.toString();
    }

    static String source(String binary) {
        int depth = 0;
        while (binary.startsWith("[", depth)) {
            depth++;
        }
        String name = binary.substring(depth);
        if (depth > 0) {
            name = name.startsWith("L") ? name.substring(1, name.length() - 1) : primitive(name.charAt(0));
        }
        StringBuilder out = new StringBuilder(name);
        for (int i = 0; i < depth; i++) {
            out.append("[]");
        }
        return out.toString();
    }

    private static String primitive(char code) {
        for (Class<?> type : new Class<?>[] {boolean[].class, byte[].class, short[].class, char[].class, int[].class,
            long[].class, float[].class}) {
            if (type.getName().charAt(1) == code) {
                return type.getComponentType().getName();
            }
        }
        return "double";
    }

    static void list(Iterable<Recipe> recipes, StringBuilder out) {
        out.append('[');
        String comma = "";
        for (Recipe each : recipes) {
            out.append(comma);
            each.json(out);
            comma = ",";
        }
        out.append(']');
    }

    static void quoted(String key, String value, StringBuilder out) {
        out.append('"').append(key).append("\":").append(Values.quote(value));
    }

    /** A number, a truth value, a character, a text, or null; `type` is a primitive type or a class. */
    static final class Literal extends Recipe {
        final String type;
        final Object value;

        Literal(String type, Object value) {
            this.type = type;
            this.value = value;
        }

        @Override
        Object build(World world) {
            return value;
        }

        @Override
        void json(StringBuilder out) {
            out.append('{');
            quoted("lit", source(type), out);
            if (value != null) {
                out.append(',');
                quoted("v", value instanceof Character ? "" + (int) (Character) value : value.toString(), out);
            }
            out.append('}');
        }

        @Override
        long weight() {
            if (value instanceof String) {
                long odd = ((String) value).chars().filter(c -> c != 'a').map(c -> c > ' ' && c < 127 ? 1 : 3).sum();
                return 3L + 8L * ((String) value).length() + odd;
            }
            if (value instanceof Number) {
                double number = ((Number) value).doubleValue();
                int sign = number < 0 ? 1 : 0;
                int broken = number == Math.rint(number) ? 0 : 9;
                return 2 + sign + broken + (Double.isNaN(number) ? 99 : 3 * Math.min(40, (long) Math.abs(number)))
                        + (Math.abs(number) > 40 ? value.toString().length() : 0);
            }
            return value == null ? 12 : value.equals(Boolean.TRUE) || value.equals('a') ? 3 : value instanceof Character ? 5 : 2;
        }
    }

    /** An array, or a collection of the library that holds these. */
    static final class Items extends Recipe {
        /** The component type of an array, or `list`, `set` or `map` (keys and values in turn). */
        final String kind;
        final List<Recipe> items;

        Items(String kind, List<Recipe> items) {
            this.kind = kind;
            this.items = items;
        }

        boolean isArray() {
            return !kind.equals("list") && !kind.equals("set") && !kind.equals("map");
        }

        @Override
        Object build(World world) throws Exception {
            List<Object> values = new ArrayList<>();
            for (Recipe item : items) {
                values.add(item.build(world));
            }
            if (kind.equals("list")) {
                return values;
            }
            if (kind.equals("set")) {
                return new HashSet<>(values);
            }
            if (kind.equals("map")) {
                Map<Object, Object> map = new HashMap<>();
                for (int i = 0; i + 1 < values.size(); i += 2) {
                    map.put(values.get(i), values.get(i + 1));
                }
                return map;
            }
            Object array = Array.newInstance(world.type(kind), values.size());
            for (int i = 0; i < values.size(); i++) {
                Array.set(array, i, values.get(i));
            }
            return array;
        }

        @Override
        void json(StringBuilder out) {
            out.append('{');
            quoted(isArray() ? "array" : "items of", source(kind), out);
            out.append(",\"items\":");
            list(items, out);
            out.append('}');
        }

        @Override
        List<Recipe> parts() {
            return items;
        }

        @Override
        Recipe with(List<Recipe> parts) {
            return new Items(kind, parts);
        }
    }

    /** What a static field holds: a constant of an enum, or another one. */
    static final class Constant extends Recipe {
        final String owner;
        final String name;

        Constant(String owner, String name) {
            this.owner = owner;
            this.name = name;
        }

        @Override
        Object build(World world) throws Exception {
            Field field = world.type(owner).getDeclaredField(name);
            World.open(field);
            return field.get(null);
        }

        @Override
        void json(StringBuilder out) {
            out.append('{');
            quoted("field", source(owner), out);
            out.append(',');
            quoted("name", name, out);
            out.append('}');
        }
    }

    /** `String.class`. */
    static final class ClassName extends Recipe {
        final String name;

        ClassName(String name) {
            this.name = name;
        }

        @Override
        Object build(World world) throws Exception {
            return world.type(name);
        }

        @Override
        void json(StringBuilder out) {
            out.append('{');
            quoted("class", source(name), out);
            out.append('}');
        }
    }

    /** A call: of a constructor, of a static method, or of a method on what another recipe makes. */
    static final class Make extends Recipe {
        final String owner;
        final String name;
        final String[] types;
        final boolean overloaded;
        /** The type of the result. */
        final String returns;
        /** Null but for a method that needs an object. */
        final Recipe on;
        final List<Recipe> arguments;

        Make(String owner, String name, String[] types, String returns, boolean overloaded, Recipe on,
                List<Recipe> arguments) {
            this.owner = owner;
            this.name = name;
            this.types = types;
            this.returns = returns;
            this.overloaded = overloaded;
            this.on = on;
            this.arguments = arguments;
        }

        @Override
        String type() {
            return name.equals(World.CONSTRUCTOR) ? owner : null;
        }

        @Override
        Object build(World world) throws Exception {
            Object receiver = on == null ? null : on.build(world);
            return invoke(world, receiver, values(world));
        }

        Object[] values(World world) throws Exception {
            Object[] values = new Object[arguments.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = arguments.get(i).build(world);
            }
            return values;
        }

        Object invoke(World world, Object receiver, Object[] values) throws Exception {
            return World.invoke(executable(world), receiver, values);
        }

        Executable executable(World world) throws ReflectiveOperationException {
            return world.executable(owner, name, types);
        }

        @Override
        void json(StringBuilder out) {
            out.append('{');
            quoted(name.equals(World.CONSTRUCTOR) ? "new" : "call", source(owner), out);
            out.append(',');
            quoted("name", name, out);
            out.append(',');
            quoted("returns", source(returns), out);
            out.append(",\"overloaded\":").append(overloaded).append(",\"types\":[");
            for (int i = 0; i < types.length; i++) {
                out.append(i > 0 ? "," : "").append(Values.quote(source(types[i])));
            }
            out.append("],\"args\":");
            list(arguments, out);
            if (on != null) {
                out.append(",\"on\":");
                on.json(out);
            }
            out.append('}');
        }

        @Override
        List<Recipe> parts() {
            List<Recipe> parts = new ArrayList<>(arguments);
            if (on != null) {
                parts.add(on);
            }
            return parts;
        }

        @Override
        Recipe with(List<Recipe> parts) {
            int count = arguments.size();
            Recipe receiver = on == null ? null : parts.get(count);
            return new Make(owner, name, types, returns, overloaded, receiver, new ArrayList<>(parts.subList(0, count)));
        }
    }

    /** An object, after some of its methods were called. */
    static final class Grown extends Recipe {
        final Recipe base;
        /** The type whose methods these are. */
        final String type;
        /** Calls whose receiver is the object. */
        final List<Make> steps;

        Grown(Recipe base, String type, List<Make> steps) {
            this.base = base;
            this.type = type;
            this.steps = steps;
        }

        @Override
        String type() {
            return type;
        }

        @Override
        Object build(World world) throws Exception {
            Object value = base.build(world);
            for (Make step : steps) {
                step.invoke(world, value, step.values(world));
            }
            return value;
        }

        @Override
        void json(StringBuilder out) {
            out.append("{\"grown\":");
            base.json(out);
            out.append(',');
            quoted("type", source(type), out);
            out.append(",\"then\":");
            list(new ArrayList<>(steps), out);
            out.append('}');
        }

        @Override
        List<Recipe> parts() {
            List<Recipe> parts = new ArrayList<>(steps);
            parts.add(base);
            return parts;
        }

        @Override
        Recipe with(List<Recipe> parts) {
            List<Make> changed = new ArrayList<>();
            for (Recipe part : parts.subList(0, steps.size())) {
                changed.add((Make) part);
            }
            return new Grown(parts.get(steps.size()), type, changed);
        }
    }

    /** An interface with one method, as a lambda that gives the same each time. */
    static final class Lambda extends Recipe {
        final String type;
        final String method;
        final int arity;
        /** Null for a method without a result. */
        final Recipe result;

        Lambda(String type, String method, int arity, Recipe result) {
            this.type = type;
            this.method = method;
            this.arity = arity;
            this.result = result;
        }

        @Override
        Object build(World world) throws Exception {
            Class<?> face = world.type(type);
            return Proxy.newProxyInstance(face.getClassLoader() == null ? world : face.getClassLoader(),
                    new Class<?>[] {face}, (self, called, values) -> answer(world, self, called, values));
        }

        private Object answer(World world, Object self, Method called, Object[] values) throws Throwable {
            if (called.getDeclaringClass() == Object.class) {
                return called.getName().equals("equals") ? (Object) (self == values[0])
                        : called.getName().equals("hashCode") ? (Object) 1 : "a lambda";
            }
            if (called.isDefault()) { // Java 16 has a way to call it
                Method way = Class.forName("java.lang.reflect.InvocationHandler")
                        .getMethod("invokeDefault", Object.class, Method.class, Object[].class);
                return way.invoke(null, self, called, values);
            }
            return result == null ? null : result.build(world);
        }

        @Override
        void json(StringBuilder out) {
            out.append('{');
            quoted("lambda", source(type), out);
            out.append(",\"arity\":").append(arity);
            if (result != null) {
                out.append(",\"result\":");
                result.json(out);
            }
            out.append('}');
        }

        @Override
        List<Recipe> parts() {
            return result == null ? Collections.emptyList() : Arrays.asList(result);
        }

        @Override
        Recipe with(List<Recipe> parts) {
            return result == null ? this : new Lambda(type, method, arity, parts.get(0));
        }
    }
}
