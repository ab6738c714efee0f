package equimut_;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Recipes made from other recipes: varied at random, or made smaller. */
final class Changes {
    private Changes() {}

    /** The same call with one to three of its parts changed. */
    static Recipe.Make vary(Recipe.Make call, Random random, Maker maker) {
        Recipe changed = call;
        int[] often = {1, 1, 1, 2, 3};
        for (int left = often[random.nextInt(often.length)]; left > 0; left--) {
            int count = count(changed);
            if (count > 1) {
                changed = change(changed, 1 + random.nextInt(count - 1), random, maker);
            }
        }
        return (Recipe.Make) changed;
    }

    private static int count(Recipe recipe) {
        int sum = 1;
        for (Recipe part : recipe.parts()) {
            sum += count(part);
        }
        return sum;
    }

    /** With the part at a place (in the order of reading) changed. */
    private static Recipe change(Recipe recipe, int place, Random random, Maker maker) {
        if (place == 0) {
            return changed(recipe, random, maker);
        }
        List<Recipe> parts = new ArrayList<>(recipe.parts());
        int at = place - 1;
        for (int i = 0; i < parts.size(); i++) {
            int inside = count(parts.get(i));
            if (at < inside) {
                parts.set(i, change(parts.get(i), at, random, maker));
                return recipe.with(parts);
            }
            at -= inside;
        }
        return recipe;
    }

    private static Recipe changed(Recipe recipe, Random random, Maker maker) {
        if (recipe instanceof Recipe.Literal) {
            return literal((Recipe.Literal) recipe, random, maker);
        }
        if (recipe instanceof Recipe.Items) {
            Recipe.Items items = (Recipe.Items) recipe;
            return new Recipe.Items(items.kind, items(items, random));
        }
        if (recipe instanceof Recipe.Grown) {
            Recipe.Grown grown = (Recipe.Grown) recipe;
            List<Recipe.Make> steps = new ArrayList<>(grown.steps);
            int at = random.nextInt(steps.size());
            if (random.nextBoolean()) {
                steps.add(steps.get(at));
            } else if (steps.size() > 1) {
                steps.remove(at);
            }
            return new Recipe.Grown(grown.base, grown.type, steps);
        }
        return recipe;
    }

    private static List<Recipe> items(Recipe.Items recipe, Random random) {
        List<Recipe> items = new ArrayList<>(recipe.items);
        int step = recipe.kind.equals("map") ? 2 : 1;
        if (items.size() < step) {
            return items;
        }
        int at = random.nextInt(items.size() / step) * step;
        if (random.nextBoolean() && items.size() < 64) {
            items.addAll(at, new ArrayList<>(items.subList(at, at + step)));
        } else if (random.nextBoolean() && step == 1) {
            Collections.swap(items, at, random.nextInt(items.size()));
        } else {
            items.subList(at, at + step).clear();
        }
        return items;
    }

    private static Recipe literal(Recipe.Literal recipe, Random random, Maker maker) {
        Object value = recipe.value;
        if (value instanceof Boolean) {
            return new Recipe.Literal(recipe.type, !(Boolean) value);
        }
        if (value instanceof Character) {
            return new Recipe.Literal(recipe.type, random.nextBoolean() ? (char) ((Character) value + random.nextInt(3) - 1)
                    : maker.letter());
        }
        if (value instanceof String) {
            return new Recipe.Literal(recipe.type, text((String) value, random, maker));
        }
        if (value instanceof Double || value instanceof Float) {
            double number = ((Number) value).doubleValue();
            double[] near = {number + 1, number - 1, -number, 0, number / 2, number + 0.5, number * 2};
            return number(recipe.type, value, near[random.nextInt(near.length)]);
        }
        if (value instanceof Number) {
            long number = ((Number) value).longValue();
            long[] near = {number + 1, number - 1, -number, 0, 2 * number, number + random.nextInt(41) - 20, maker.integer(),
                ~number, number << random.nextInt(8)};
            return number(recipe.type, value, near[random.nextInt(near.length)]);
        }
        return recipe;
    }

    /** A whole number of the kind that another recipe makes; null where that is no number. */
    static Recipe like(Recipe recipe, long value) {
        Object known = recipe instanceof Recipe.Literal ? ((Recipe.Literal) recipe).value : null;
        return known instanceof Number ? number(((Recipe.Literal) recipe).type, known, value) : null;
    }

    private static Recipe number(String type, Object like, Number value) {
        Object made = like instanceof Integer ? (Object) value.intValue()
                : like instanceof Long ? (Object) value.longValue()
                : like instanceof Short ? (Object) value.shortValue()
                : like instanceof Byte ? (Object) value.byteValue()
                : like instanceof Float ? (Object) value.floatValue() : (Object) value.doubleValue();
        return new Recipe.Literal(type, made);
    }

    private static String text(String text, Random random, Maker maker) {
        int at = text.isEmpty() ? 0 : random.nextInt(text.length());
        switch (random.nextInt(8)) {
            case 0:
                return text.substring(0, at) + maker.letter() + text.substring(at);
            case 1:
                return text.isEmpty() ? text : text.substring(0, at) + text.substring(at + 1);
            case 2:
                return text.isEmpty() ? "a" : text.substring(0, at) + maker.letter() + text.substring(at + 1);
            case 3:
                return text.length() < 40 ? text + text : text;
            case 4:
                return random.nextBoolean() ? text.toUpperCase() : text.toLowerCase();
            case 5:
                return text.substring(0, at) + maker.text() + text.substring(at);
            case 6:
                return text.substring(at);
            default:
                return maker.text();
        }
    }

    /** Calls that are a little smaller, the largest steps first. */
    static List<Recipe.Make> smaller(Recipe.Make call) {
        List<Recipe.Make> found = new ArrayList<>();
        for (Recipe each : inside(call)) {
            if (each.weight() < call.weight()) {
                found.add((Recipe.Make) each);
            }
        }
        return found;
    }

    private static List<Recipe> inside(Recipe recipe) {
        List<Recipe> found = new ArrayList<>();
        List<Recipe> parts = recipe.parts();
        for (int i = parts.size() - 1; i >= 0; i--) {
            List<Recipe> options = new ArrayList<>(own(parts.get(i)));
            options.addAll(inside(parts.get(i)));
            for (Recipe option : options) {
                List<Recipe> changed = new ArrayList<>(parts);
                changed.set(i, option);
                if (!(recipe instanceof Recipe.Grown) || i == parts.size() - 1 || option instanceof Recipe.Make) {
                    found.add(recipe.with(changed));
                }
            }
        }
        return found;
    }

    private static List<Recipe> own(Recipe recipe) {
        List<Recipe> found = new ArrayList<>();
        if (recipe instanceof Recipe.Grown) {
            Recipe.Grown grown = (Recipe.Grown) recipe;
            found.add(grown.base);
            for (int i = 0; i < grown.steps.size() && grown.steps.size() > 1; i++) {
                List<Recipe.Make> steps = new ArrayList<>(grown.steps);
                steps.remove(i);
                found.add(new Recipe.Grown(grown.base, grown.type, steps));
            }
        } else if (recipe instanceof Recipe.Items) {
            Recipe.Items items = (Recipe.Items) recipe;
            int step = items.kind.equals("map") ? 2 : 1;
            if (!items.items.isEmpty()) {
                found.add(new Recipe.Items(items.kind, Collections.emptyList()));
            }
            for (int i = 0; i + step <= items.items.size(); i += step) {
                List<Recipe> left = new ArrayList<>(items.items);
                left.subList(i, i + step).clear();
                found.add(new Recipe.Items(items.kind, left));
            }
        } else if (recipe instanceof Recipe.Literal) {
            literals((Recipe.Literal) recipe, found);
        }
        return found;
    }

    private static void literals(Recipe.Literal recipe, List<Recipe> found) {
        Object value = recipe.value;
        if (value instanceof Boolean && (Boolean) value) {
            found.add(new Recipe.Literal(recipe.type, false));
        } else if (value instanceof Character && !value.equals('a')) {
            found.add(new Recipe.Literal(recipe.type, 'a'));
        } else if (value instanceof String) {
            texts(recipe, (String) value, found);
        } else if (value instanceof Double || value instanceof Float) {
            double number = ((Number) value).doubleValue();
            for (double each : new double[] {0, 1, Math.rint(number), number / 2, -number}) {
                found.add(number(recipe.type, value, each));
            }
        } else if (value instanceof Number) {
            long number = ((Number) value).longValue();
            for (long each : new long[] {0, 1, number / 2, number - Long.signum(number), -number}) {
                found.add(number(recipe.type, value, each));
            }
        }
    }

    private static void texts(Recipe.Literal recipe, String text, List<Recipe> found) {
        if (text.isEmpty()) {
            return;
        }
        found.add(new Recipe.Literal(recipe.type, ""));
        found.add(new Recipe.Literal(recipe.type, text.substring(0, text.length() / 2)));
        found.add(new Recipe.Literal(recipe.type, text.substring(text.length() / 2)));
        for (int i = 0; i < Math.min(text.length(), 24); i++) {
            found.add(new Recipe.Literal(recipe.type, text.substring(0, i) + text.substring(i + 1)));
            if (text.charAt(i) != 'a') {
                found.add(new Recipe.Literal(recipe.type, text.substring(0, i) + "a" + text.substring(i + 1)));
            }
        }
    }
}
