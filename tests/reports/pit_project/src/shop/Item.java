package shop;

/** Overloads, classes inside classes, switches. */
class Item {
    private final int price;
    private final String name;

    Item(int price) { this(price, "item" + price); }

    Item(int price, String name) {
        this.price = price < 0 ? -price : price;
        this.name = name;
    }

    int price() { return price; } int price(int count) { return price * count; }

    int price(long count, Item... others) {
        return (int) (price * count) - others.length;
    }

    boolean known() {
        return name != null && !name.isEmpty();
    }

    int category(int kind) {
        switch (kind) {
            case 1: return price + 1;
            case 2: kind--; break;
            default: kind = kind > 5 ? kind * 2 : kind - 1;
        }
        return kind;
    }

    int rate(String word, int base) {
        int rate = switch (word) {
            case "low" -> base - 1;
            case "high" -> { base++; yield base * 2; }
            default -> base > 0 ? 1 : -base;
        };
        return rate;
    }

    static class Pack extends Item {
        int size = 3;
        int weight = size * 2, height = size + weight;

        Pack(int price) {
            super(price + 1);
            size -= 1;
        }

        Comparable<Item> order(int factor) {
            return new Comparable<Item>() {
                int bonus = factor - 1;

                @Override
                public int compareTo(Item other) {
                    return price() - other.price() * factor + bonus;
                }
            };
        }
    }

    class Tag {
        boolean cheap() { return price <= 5; }

        boolean same(Object other) {
            return other instanceof Tag && this == other;
        }
    }
}
