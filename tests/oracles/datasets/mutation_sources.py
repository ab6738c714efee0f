"""Sources that show much of each language, and mutants that no compiler would take."""

JAVA = """\
package shop;

import java.util.List;

/** Prices, é included. */
class Prices {
    static final int LIMIT = 40;
    private int count = 0;

    int total(int[] prices, boolean taxed, String label) {
        int sum = 0;
        for (int i = 0; i < prices.length; i++) {
            if (prices[i] < 0 || prices[i] > LIMIT) {
                continue;
            }
            sum += prices[i] * 2 - 1; // twice
        }
        int k = 3;
        while (k-- > 0) {
            sum = taxed ? sum + (sum >> 3) : -sum;
            if (sum == 99) break;
        }
        String shown = label == null ? "" : label.trim() + "é!";
        count += shown.length();
        do { sum ^= 5; } while (sum > 1000 && !taxed);
        switch (sum % 3) {
            case 0: sum++; break;
            case 1: sum -= 2; break;
            default: log(shown, sum);
        }
        return Math.max(sum, ~k & 7);
    }

    void log(String text, int value) {
        try {
            if (text.isEmpty()) throw new IllegalStateException("no text");
            System.out.println(text + value);
        } catch (RuntimeException error) {
            count--;
        } finally {
            count = count + 1;
        }
    }

    boolean known(List<String> names, char first, double weight) {
        int[] marks = {1, 2, 3};
        for (String name : names) {
            if (name.charAt(0) == first && weight / 2.5 >= marks[1]) {
                return true;
            }
        }
        Runnable later = () -> log("later", 1);
        later.run();
        return names.size() > 4L;
    }
}
"""

C = """\
#include <stdlib.h>
#define SIZE 16
typedef unsigned int word;
struct point { int x; double weight; };
static int calls;

/* A sum, é included. */
int sum(const int *values, int n, double scale)
{
    int total = 0, i;
    for (i = 0; i < n && i != SIZE; i++) {
        if (values[i] == -1 || !values[i])
            continue;
        total += values[i] % 7 - 2;
    }
    scale = scale * 1.5 + total;
    while (total-- > 3 * n) {
        if (scale < 0.0) break;
        scale -= 1;
    }
    calls++;
    return (int) scale ? abs(total) : n << 2;
}

char *tail(char *text, struct point *p)
{
    char *end = text;
    word bits = 0x0Fu;
    while (*end) end++;
    p->x = (end - text) & bits;
    do { p->x--; } while (p->x > 'k');
    switch (p->x) {
    case 0: p->weight = 0.5; break;
    default: free(NULL);
    }
    if (text == NULL) return "none";
    return end > text ? end - 1 : end;
}
"""

PYTHON = '''\
"""Words, é included."""


def longest(words, limit: int = 10, *, strict=False):
    """The longest word."""
    best = None
    total = 0
    for index, word in enumerate(words):
        if word is None or (strict and not word.strip()):
            continue
        elif len(word) > limit:
            break
        else:
            total += len(word) * 2
        if best is None or 0 < len(best) < len(word):
            best = word
    while total > 3 and limit not in (1, 2):
        total //= 2
        limit = limit - 1
    print("best:", best, sep=" ")
    return best if total >= 0 else ""


class Counter:
    step: int = 1

    def add(self, values, scale=1.5):
        try:
            kept = [v for v in values if v % 2 == 0]
            self.total = sum(kept, -1) + max(len(kept), 2)
        except (TypeError, ValueError) as error:
            raise RuntimeError(f"bad {values!r}") from error
        finally:
            self.step += 1
        key = lambda v: (v, -v)
        with open("names") as names:
            first, second = names.read().lower().split("=")
        del first
        assert second, "no value"
        mask = (self.step & 3) | ~self.step << 2
        return {"a": mask ** 2, "b": not kept}
'''

SOURCES = {"java": JAVA, "c": C, "python": PYTHON}

VALID = [
    ("java", 'String f(String s) { return s + "x"; }', 'String f(String s) { return s - "x"; }'),
    ("java", "int f(Object o) { if (o == null) { o = 1; } return 1; }",
     "int f(Object o) { if (o < null) { o = 1; } return 1; }"),
    ("java", "int f(int a) { return 5; }", "int f(int a) { return 5++; }"),
    ("java", "int f(final int a) { return a; }", "int f(final int a) { return ++a; }"),
    ("java", "int f(int a) { return a; }", "int f(int a) { ; }"),
    ("java", "int f(int a) { while (a < 2) { a++; } return a; }",
     "int f(int a) { while (true) { a++; } return a; }"),
    ("java", "int f(int a) { while (a < 2) { a++; } return a; }",
     "int f(int a) { while (false) { a++; } return a; }"),
    ("java", "int f(boolean p, boolean q) { return p == q ? 1 : 2; }",
     "int f(boolean p, boolean q) { return p < q ? 1 : 2; }"),
    ("java", "int f(double d) { return d > 1 ? 1 : 2; }",
     "int f(double d) { return ~d > 1 ? 1 : 2; }"),
    ("java", "char f(char c) { return c; }", "char f(char c) { return -c; }"),
    ("java", "int f(int[] xs) { return xs.length; }", "int f(int[] xs) { return xs.length++; }"),
    ("java", "int f(int a) { int b; b = a; return b; }", "int f(int a) { int b; ; return b; }"),
    ("c", "double f(double a, double b) { return a * b; }",
     "double f(double a, double b) { return a % b; }"),
    ("c", "char *f(char *s, int n) { return s + n; }", "char *f(char *s, int n) { return s * n; }"),
    ("c", "int f(void) { int a[3] = {0}; return a[1]; }",
     "int f(void) { int a[3] = {0}; return a++[1]; }"),
    ("c", "int f(const int *a) { return a[0]; }", "int f(const int *a) { return ++a[0]; }"),
    ("python", "def f(s: str):\n    return s + 'x'\n", "def f(s: str):\n    return s - 'x'"),
    ("python", "def f(xs):\n    return [x for x in xs if x > 1]\n",
     "def f(xs):\n    return [x for x in xs if (x := x + 1) > 1]"),
]  # fmt: skip
"""(language, function, a mutant of it that must not be made)."""
