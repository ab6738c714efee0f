"""How MutantBench's programs are called when calling the changed function alone would be unfair.

A label speaks of a program, so a private method is judged through the public one that calls it,
a method that reads fields through the calls that set them, a program that reads numbers from its
input through those numbers. What is observed is what a user of the program sees. `requires` is
the domain: what a caller would have to respect for the result to mean anything.

Only calls stand here, no text of the programs.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from equimut.oracle.backend import WholePrograms

ENTRY = "equimut_entry"


@dataclass(frozen=True)
class Entry:
    """One way into a program: a function of our own, added to it."""

    header: str
    """Result type and parameters; `ENTRY` stands for the name."""
    body: str
    requires: str = ""
    """A condition on the parameters, in the language of the program; empty: any value will do."""
    functions: tuple[str, ...] = ()
    """The changed functions it serves; empty: all of the program."""
    before: str = ""
    """Put before the program (C)."""
    after: str = ""
    """Put after the program: small stand-ins for classes that were not published with it."""

    def text(self, programs: WholePrograms, within_domain: bool) -> str:
        """The function; with `within_domain`, other inputs are refused."""
        guard = f"if (!({self.requires})) {{ {programs.refuse} }}" if self.requires else ""
        header = self.header.replace("ENTRY", ENTRY)
        return f"{programs.needed}{header} {{\n{guard * within_domain}\n{self.body}\n}}"


FED_INPUT = """\
#include <stdarg.h>
typedef int *equimut_place;
static int equimut_fed[8], equimut_at;
static int equimut_scan(const char *format, ...) {
    va_list places;
    int count = 0;
    va_start(places, format);
    for (; *format; format++)
        if (*format == '%') { *va_arg(places, equimut_place) = equimut_fed[equimut_at++]; count++; }
    va_end(places);
    return count;
}
#define scanf equimut_scan
"""
"""Numbers in place of the standard input."""

DEFROSTER_C = """\
    int last = -1;
    AU8 = (AU8_tp){0};
    error_e = confirmation_e = Clip_15 = ControlElement_DEF = control_led = request = 0;
    We1_BA_DEF_ev_ctr0 = We1_BA_DEF_ev_ctr1 = We1_BA_DEF_ev_ctr2 = 0;
    for (int i = 0; i < n; i++) {
        int v = signals[i], times = 1 << (v >> 4 & 15);
        for (int k = 0; k < times && k < 4096; k++) {
            Clip_15 = v & 1; ControlElement_DEF = v >> 1 & 1;
            confirmation_e = v >> 2 & 1; error_e = v >> 3 & 1;
            main();
            int now = 2 * request + control_led;
            if (now != last) printf("%d.%d: request %d, led %d; ", i, k, request, control_led);
            last = now;
        }
    }"""
DEFROSTER_JAVA = """\
    Defroster d = new Defroster();
    d.AU8 = d.new AU8_tp();
    StringBuilder seen = new StringBuilder();
    int last = -1;
    for (int i = 0; i < signals.length; i++) {
        int v = signals[i], times = Math.min(4096, 1 << (v >> 4 & 15));
        for (int k = 0; k < times; k++) {
            d.Clip_15 = v & 1; d.ControlElement_DEF = v >> 1 & 1;
            d.confirmation_e = v >> 2 & 1; d.error_e = v >> 3 & 1;
            d.main();
            int now = 2 * d.request + d.control_led;
            if (now != last)
                seen.append(i + "." + k + ": request " + d.request + ", led ")
                    .append(d.control_led).append("; ");
            last = now;
        }
    }
    return seen.toString();"""

TOKENS = """\
    String wide = "\\uD83D\\uDE00";
    String given = surrogates ? text.replace("a", wide) : text;
    String marks = surrogates ? delimiters.replace("b", wide) : delimiters;
    StringTokenizer t = new StringTokenizer(given, marks, keep);
    StringBuilder seen = new StringBuilder().append(t.countTokens());
    for (int i = 0; i < 40 && t.hasMoreElements(); i++) {
        boolean more = t.hasMoreTokens();
        String token = i == 2 && change ? t.nextToken(" a") : t.nextToken();
        seen.append(more).append(token).append('|').append(t.countTokens());
    }
    try {
        seen.append(t.nextElement());
    } catch (java.util.NoSuchElementException end) {
        seen.append("end");
    }
    return seen.toString();"""

TCAS = """\
    initialize();
    Cur_Vertical_Sep = 600 + above600; Own_Tracked_Alt_Rate = 600 + rate_above600;
    Own_Tracked_Alt = own; Other_Tracked_Alt = other;
    Up_Separation = 20 * up20; Down_Separation = 20 * down20;
    High_Confidence = confident; Other_Capability = equipped ? 1 : 2;
    Alt_Layer_Value = flags & 3; Climb_Inhibit = flags >> 2 & 1;
    Two_of_Three_Reports_Valid = flags >> 3 & 1; Other_RAC = (flags >> 4 & 3) % 3;
    return alt_sep_test();"""

HASHMAP = """\
    char keys[512][8];
    map_t map = hashmap_new();
    any_t got;
    int missing = 0, wrong = 0;
    for (int i = 0; i < count; i++) {
        sprintf(keys[i], "%c%d", 'a' + letter, i * stride);
        int done = hashmap_put(map, keys[i], (any_t)(long)(i + 1));
        if (done != 0) printf("put %d: %d; ", i, done);
    }
    for (int i = 0; i < count; i += 3) missing += hashmap_remove(map, keys[i]) != 0;
    for (int i = 0; i < count; i++) {
        int found = hashmap_get(map, keys[i], &got);
        wrong += found != 0 ? 1 : (long)got != i + 1;
    }
    printf("%d %d %d", missing, wrong, hashmap_length(map));
    hashmap_free(map);"""

ENTRIES: Mapping[str, tuple[Entry, ...]] = {
    "Bisect.java": (
        Entry(
            "static double ENTRY(double epsilon, double number)",
            "Bisect b = new Bisect(); b.setEpsilon(epsilon); return b.sqrt(number);",
            "epsilon >= 1e-6 && epsilon <= 1 && number >= 1 && number <= 1e6",
        ),
    ),
    "Bubble.java": (
        # Its format string prints no number, so the order in the array is not seen by a caller.
        Entry("static void ENTRY(int b, int c, int d, int e, int f)", "main(b, c, d, e, f);"),
    ),
    "Day.java": (
        Entry(
            "static void ENTRY(int day, int month, int year)",
            "main(day, month, year);",
            "day >= 1 && day <= 31 && month >= 1 && month <= 12 && year >= 1 && year <= 9999",
        ),
    ),
    "Defroster.java": (Entry("static String ENTRY(int[] signals)", DEFROSTER_JAVA),),
    "Profit.java": (
        Entry(
            "static double ENTRY(double profit)",
            "return new Profit().Profit(profit);",
            "profit >= 0",
        ),
    ),
    "QuickSort.java": (
        Entry(
            "static void ENTRY(int[] data)",
            "new QuickSort().sort(data);",
            functions=("quicksort",),
        ),
    ),
    "StringTokenizer.java": (
        Entry(
            "static String ENTRY(String text, String delimiters, boolean keep, boolean surrogates, "
            "boolean change)",
            TOKENS,
        ),
    ),
    "Vector3D.java": (
        Entry(
            "static double[] ENTRY(double x, double y, double z)",
            "Vector3D v = new Vector3D(x, y, z).orthogonal();\n"
            "return new double[] {v.getX(), v.getY(), v.getZ()};",
        ),
    ),
    "WordUtils.java": (
        Entry(
            "static String ENTRY(String text, int width, String line, boolean cut)",
            "return line == null ? wrap(text, width) : wrap(text, width, line, cut);",
            functions=("wrap",),
            after='class SystemUtils { static final String LINE_SEPARATOR = "\\n"; }',
        ),
        Entry(
            "static String ENTRY(String text, char[] delimiters)",
            "return capitalize(text, delimiters);",
            functions=("capitalize",),
            after='class SystemUtils { static final String LINE_SEPARATOR = "\\n"; }',
        ),
    ),
    "XmlFriendlyNameCoder.java": (
        Entry(
            "static String ENTRY(String name, boolean custom)",
            "XmlFriendlyNameCoder c = custom ? new XmlFriendlyNameCoder(\"ab\", \"b-\")"
            " : new XmlFriendlyNameCoder();\n"
            "return c.decodeNode(name) + '|' + c.decodeAttribute(name);",
            after="interface NameCoder { }\n"
            "class ObjectAccessException extends RuntimeException {\n"
            "ObjectAccessException(String text, Throwable cause) { super(text, cause); } }",
        ),
    ),
    "Calendar.c": (
        Entry(
            "void ENTRY(int year)",
            "equimut_at = 0; equimut_fed[0] = year;\nint y = get_year();\n"
            'printf("%d %d ", get_day_code(y), get_leap_year(y));\n'
            "print_calendar(stdout, y, get_day_code(y), get_leap_year(y));",
            "year >= 1 && year <= 9999",
            before=FED_INPUT,
        ),
    ),
    "Carsimulator.c": (
        Entry(
            "double ENTRY(double size)",
            "return accelerate(fabs(size));  // a throttle is never negative",
            functions=("accelerate",),
        ),
        Entry(
            "int ENTRY(int pedal)",
            "return brake(pedal);",
            "pedal >= 0",
            functions=("brake",),
        ),
    ),
    "Day.c": (
        Entry(
            "void ENTRY(int year, int month, int day)",
            "equimut_at = 0; equimut_fed[0] = year; equimut_fed[1] = month; equimut_fed[2] = day;\n"
            "main();",
            "day >= 1 && day <= 31 && month >= 1 && month <= 12 && year >= 1 && year <= 9999",
            before=FED_INPUT,
        ),
    ),
    "Defroster.c": (Entry("void ENTRY(int *signals, int n)", DEFROSTER_C),),
    "Hashmap.c": (
        Entry(
            "void ENTRY(int count, int stride, int letter)",
            HASHMAP,
            "count >= 0 && count <= 300 && stride >= 1 && stride <= 30 "
            "&& letter >= 0 && letter < 26",
            before="#define _snprintf snprintf\n",
        ),
    ),
    "Insert.c": (
        Entry("void ENTRY(int number)", "equimut_at = 0; equimut_fed[0] = number;\nmain();",
              before=FED_INPUT),
    ),
    "Min.c": (Entry("int ENTRY(int i, int j)", "return main(i, j);"),),
    "Prime_number.c": (Entry("void ENTRY(void)", "main();"),),
    "Profit.c": (Entry("double ENTRY(double profit)", "return main(profit);", "profit >= 0"),),
    "Tcas.c": (
        Entry(
            # In units at which its thresholds stand, so that both sides of them are tried.
            "int ENTRY(int above600, int rate_above600, int own, int other, int up20, int down20, "
            "_Bool confident, _Bool equipped, unsigned char flags)",
            TCAS,
            "above600 >= -600 && up20 >= 0 && down20 >= 0",
            before="#undef bool\n",
        ),
    ),
    "Triangle.c": (
        Entry(
            "int ENTRY(unsigned a, unsigned b, unsigned c)",
            "return main(a, b, c);",
            "a >= 1 && b >= 1 && c >= 1",
        ),
    ),
    "bubble.c": (
        Entry(
            "void ENTRY(int a, int b, int c, int d, int e)",
            "equimut_at = 0; equimut_fed[0] = a; equimut_fed[1] = b; equimut_fed[2] = c;\n"
            "equimut_fed[3] = d; equimut_fed[4] = e;\nmain();",
            before=FED_INPUT,
        ),
    ),
}  # fmt: skip
"""Ways into the published programs, by the name of the program's file."""


def entry_for(program: str, function: str) -> Entry | None:
    """The way in that serves a changed function, if one is needed."""
    for entry in ENTRIES.get(program, ()):
        if not entry.functions or function in entry.functions:
            return entry
    return None
