package equimut_;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** What a test could see of a value: expressions on it, each with what it gives. */
final class Facets {
    static final Pattern ADDRESS = Pattern.compile("@[0-9a-f]{3,}|\\$\\$Lambda|\\$Proxy");
    private static final int MOST_ITEMS = 40;
    private static final int MOST_PARTS = 24;
    private static final int MOST_FACETS = 100;
    private static final int LONGEST_TEXT = 1_000;
    private static final int DEEPEST = 2;
    private static final String GETTER = "(get|is|has)[A-Z].*|size|length|isEmpty|cardinality|capacity|count|position|limit"
            + "|remaining|intValue|longValue|doubleValue|name|ordinal|signum|available|toByteArray|toArray|value";
    private static final Set<String> NOT_GETTERS =
            Set.of("getClass", "getAndIncrement", "getAndDecrement", "getAndSet", "getAndAdd", "getDeclaringClass");

    /** One expression (`{}` is the value), the text of what it gives, and a recipe where a test can write that. */
    static final class Facet {
        final String subject;
        final String template;
        final String text;
        final String recipe;
        /** The static type of the expression. */
        final String type;

        Facet(String subject, String template, String text, String recipe, String type) {
            this.subject = subject;
            this.template = template;
            this.text = text;
            this.recipe = recipe;
            this.type = type;
        }

        String key() {
            return subject + "\n" + template;
        }

        String json() {
            return "[" + Values.quote(subject) + "," + Values.quote(template) + "," + Values.quote(text) + ","
                    + (recipe == null ? "null" : recipe) + "," + Values.quote(type) + "]";
        }
    }

    private final World world;
    private final Access access;
    private final String subject;
    private final List<Facet> found = new ArrayList<>();
    private final Map<Class<?>, List<Member>> parts;

    private Facets(World world, Access access, String subject, Map<Class<?>, List<Member>> parts) {
        this.world = world;
        this.access = access;
        this.subject = subject;
        this.parts = parts;
    }

    /** All facets of a value whose static type is known. */
    static List<Facet> of(
            String subject, Object value, Class<?> type, World world, Access access, Map<Class<?>, List<Member>> parts) {
        Facets facets = new Facets(world, access, subject, parts);
        facets.look("{}", value, type, 0);
        return facets.found;
    }

    private void add(String template, String text, Recipe recipe, Class<?> type) {
        if (found.size() < MOST_FACETS) {
            String written = recipe == null || text.length() > LONGEST_TEXT ? null : recipe.text();
            found.add(new Facet(subject, template, text, written, Recipe.source(type.getName())));
        }
    }

    private void look(String template, Object value, Class<?> type, int depth) {
        Recipe recipe = recipe(value, type, 0);
        if (recipe != null) {
            add(template, recipe.text(), recipe, type);
        } else if (value.getClass().isArray()) {
            add(template + ".length", "" + Array.getLength(value), new Recipe.Literal("int", Array.getLength(value)), int.class);
            for (int i = 0; i < Math.min(Array.getLength(value), 5) && depth < DEEPEST; i++) {
                look(template + "[" + i + "]", Array.get(value, i), type.isArray() ? type.getComponentType() : Object.class,
                        depth + 1);
            }
        } else {
            object(template, value, type, depth);
        }
    }

    /** The recipe of a plain value, of an array or a collection of plain ones; null for others. */
    private Recipe recipe(Object value, Class<?> type, int depth) {
        if (value == null) {
            return new Recipe.Literal("java.lang.Object", null);
        }
        if (value instanceof Number && value.getClass().getName().startsWith("java.lang.") || value instanceof Boolean
                || value instanceof Character || value instanceof String) {
            return new Recipe.Literal(type.isPrimitive() ? type.getName() : value.getClass().getName(), value);
        }
        if (value instanceof Enum) {
            Class<?> owner = ((Enum<?>) value).getDeclaringClass();
            return access.to(owner) ? new Recipe.Constant(owner.getName(), ((Enum<?>) value).name()) : null;
        }
        if (depth > 1) {
            return null;
        }
        List<Object> items = new ArrayList<>();
        String kind;
        Class<?> inner = Object.class;
        boolean library = value.getClass().getName().startsWith("java.util.");
        if (value.getClass().isArray()) {
            inner = value.getClass().getComponentType();
            kind = inner.getName();
            for (int i = 0; i < Math.min(Array.getLength(value), MOST_ITEMS + 1); i++) {
                items.add(Array.get(value, i));
            }
            if (!access.to(inner)) {
                return null;
            }
        } else if (library && value instanceof List || library && value instanceof Set) {
            kind = value instanceof List ? "list" : "set";
            items.addAll((Collection<?>) value);
            if (kind.equals("set")) {
                items.sort(Comparator.comparing(String::valueOf));
            }
        } else if (library && value instanceof Map) {
            kind = "map";
            List<Map.Entry<?, ?>> pairs = new ArrayList<>(((Map<?, ?>) value).entrySet());
            pairs.sort(Comparator.comparing(String::valueOf));
            for (Map.Entry<?, ?> pair : pairs) {
                items.add(pair.getKey());
                items.add(pair.getValue());
            }
        } else {
            return null;
        }
        List<Recipe> recipes = new ArrayList<>();
        for (Object item : items) {
            Recipe made = items.size() > MOST_ITEMS ? null : recipe(item, inner, depth + 1);
            if (made == null) {
                return null;
            }
            recipes.add(made);
        }
        return new Recipe.Items(kind, recipes);
    }

    private void object(String template, Object value, Class<?> type, int depth) {
        if (value instanceof Class) {
            add(template + ".getName()", ((Class<?>) value).getName(),
                    new Recipe.Literal("java.lang.String", ((Class<?>) value).getName()), String.class);
            return;
        }
        if (isLambda(value)) {
            return;
        }
        if (Iterator.class.isAssignableFrom(type)) {
            call(template, value, member(Iterator.class, "hasNext"), depth);
            if (((Iterator<?>) value).hasNext()) {
                call(template, value, member(Iterator.class, "next"), depth);
            }
            return;
        }
        if (java.util.stream.BaseStream.class.isAssignableFrom(type)) {
            call(template, value, member(type, "toArray"), depth);
            return;
        }
        List<Member> members =
                depth < DEEPEST && access.to(type) ? parts.computeIfAbsent(type, this::partsOf) : List.<Member>of();
        for (Member member : members) { // fields come first: a method may change what they hold
            if (member instanceof Field) {
                field(template, value, (Field) member, depth);
            }
        }
        text(template, value);
        for (Member member : members) {
            if (member instanceof Method) {
                call(template, value, (Method) member, depth);
            }
        }
        String name = value.getClass().getName();
        add(template + ".getClass().getName()", name, new Recipe.Literal("java.lang.String", name), String.class);
    }

    private static boolean isLambda(Object value) {
        return value.getClass().isSynthetic() || java.lang.reflect.Proxy.isProxyClass(value.getClass());
    }

    private void text(String template, Object value) {
        try {
            if (value.getClass().getMethod("toString").getDeclaringClass() == Object.class) {
                return;
            }
            String text = value.toString();
            if (text != null && !ADDRESS.matcher(text).find()) {
                add(template + ".toString()", text, new Recipe.Literal("java.lang.String", text), String.class);
            }
        } catch (ReflectiveOperationException | RuntimeException fails) {
            add(template + ".toString()", "throws " + fails.getClass().getName(), null, String.class);
        }
    }

    private static Method member(Class<?> type, String name) {
        try {
            return type.getMethod(name);
        } catch (NoSuchMethodException gone) {
            throw new IllegalStateException(gone);
        }
    }

    private void field(String template, Object value, Field field, int depth) {
        try {
            look(template + "." + field.getName(), field.get(value), field.getType(), depth + 1);
        } catch (ReflectiveOperationException closed) {
            return;
        }
    }

    private void call(String template, Object value, Method method, int depth) {
        String shown = template + "." + method.getName() + "()";
        try {
            look(shown, method.invoke(value), method.getReturnType(), depth + 1);
        } catch (InvocationTargetException fails) {
            if (fails.getCause() instanceof Steps.Endless || fails.getCause() instanceof ThreadDeath) {
                throw (Error) fails.getCause();
            }
            add(shown, "throws " + fails.getCause().getClass().getName(), null, method.getReturnType());
        } catch (IllegalAccessException closed) {
            return;
        }
    }

    /** Getters without arguments and open fields, of the static type. */
    private List<Member> partsOf(Class<?> type) {
        List<Member> members = new ArrayList<>(first(fieldsOf(type)));
        Map<String, Method> methods = new HashMap<>();
        for (Method method : type.getMethods()) {
            methods.put(method.getName() + method.getParameterCount(), method);
        }
        for (Class<?> each = type; each != null && world.owns(each); each = each.getSuperclass()) {
            for (Method method : each.getDeclaredMethods()) {
                methods.putIfAbsent(method.getName() + method.getParameterCount(), method);
            }
        }
        List<Method> getters = new ArrayList<>();
        for (Method method : methods.values()) {
            boolean plain = method.getParameterCount() == 0 && method.getReturnType() != void.class
                    && method.getDeclaringClass() != Object.class && !Access.isStatic(method) && !method.isBridge();
            if (plain && method.getName().matches(GETTER) && !NOT_GETTERS.contains(method.getName()) && access.to(method)) {
                World.open(method);
                getters.add(method);
            }
        }
        members.addAll(first(getters));
        return members;
    }

    /** Instance fields that a test can name; one of a superclass may be hidden by another of its name. */
    private List<Field> fieldsOf(Class<?> type) {
        Map<String, Field> fields = new HashMap<>();
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            for (Field field : each.getDeclaredFields()) {
                fields.putIfAbsent(field.getName(), field);
            }
        }
        fields.values().removeIf(field -> Access.isStatic(field) || !access.to((Member) field));
        fields.values().forEach(World::open);
        return new ArrayList<>(fields.values());
    }

    private static <M extends Member> List<M> first(List<M> members) {
        members.sort(Comparator.comparing((M m) -> m.getName().length()).thenComparing(Member::getName));
        return members.size() > MOST_PARTS ? members.subList(0, MOST_PARTS) : members;
    }
}
