package equimut_;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;

/** Whether objects whose class overrides `equals` equal themselves, and others that are made anew like the call's own. */
final class Equality {
    /** Before the receiver, the result or an argument as a subject. */
    static final String SUBJECT = "equals ";
    private final World world;
    private final List<Facets.Facet> found = new ArrayList<>();

    private interface Comparison {
        Object left() throws Exception;
    }

    private Equality(World world) {
        this.world = world;
    }

    /** What can be seen after a call; no result is null, and so is no receiver. */
    static List<Facets.Facet> of(World world, Recipe.Make call, Object result, Object receiver, Object[] values) {
        Equality equality = new Equality(world);
        if (equality.isDefined(result)) {
            equality.itself("result", result);
            equality.fresh("result", result, "result", call);
            if (receiver != null && receiver.getClass() == result.getClass()) {
                equality.fresh("result", result, "receiver", call.on);
            }
        }
        if (equality.isDefined(receiver)) {
            equality.itself("receiver", receiver);
            equality.fresh("receiver", receiver, "receiver", call.on);
        }
        for (int i = 0; i < values.length; i++) {
            if (equality.isDefined(values[i])) {
                String name = "argument " + i;
                equality.fresh(name, values[i], name, call.arguments.get(i));
                if (result != null && result.getClass() == values[i].getClass()) { // of a copy, or the greater of two
                    equality.fresh("result", result, name, call.arguments.get(i));
                }
            }
        }
        return equality.found;
    }

    /** Only the project's classes: those of the platform do not change, and show more in other ways. */
    private boolean isDefined(Object value) {
        if (value == null || value instanceof Enum || !world.owns(value.getClass())) {
            return false;
        }
        try {
            return value.getClass().getMethod("equals", Object.class).getDeclaringClass() != Object.class;
        } catch (NoSuchMethodException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void itself(String subject, Object value) {
        compare(subject, "{}.equals({})", value, () -> value);
    }

    /** The new object is asked, as `assertEquals` does it: the expected one comes first. */
    private void fresh(String subject, Object value, String like, Recipe recipe) {
        compare(subject, "fresh " + like + ".equals({})", value, () -> recipe.build(world));
    }

    private void compare(String subject, String template, Object value, Comparison comparison) {
        String text;
        Recipe recipe = null;
        try {
            Object left = comparison.left();
            text = left == null ? "null" : "" + left.equals(value);
            recipe = left == null ? null : new Recipe.Literal("boolean", Boolean.valueOf(text));
        } catch (InvocationTargetException wrapped) {
            text = thrown(wrapped.getCause());
        } catch (Throwable fails) { // a project's `equals` may throw anything
            text = thrown(fails);
        }
        found.add(new Facets.Facet(SUBJECT + subject, template, text, recipe == null ? null : recipe.text(), "boolean"));
    }

    private static String thrown(Throwable thrown) {
        Caller.fatal(thrown);
        return "throws " + thrown.getClass().getName();
    }
}
