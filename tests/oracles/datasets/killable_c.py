"""C mutants that an input tells apart, each a trap for a proof: origin, before, after."""

from oracles.datasets.killable_case import Case

_LOOP = "unsigned f(unsigned v, int n) { for (int i = 0; i < n; i++) { %s return 3; } return v; }"

KILLABLE: dict[str, Case] = {
    # jumps
    "C29 update before a continue": (_LOOP % "if (v > 0) { continue; }", "v > 0", "v++ > 0"),
    "update before a break": (_LOOP % "if (v > 0) { break; }", "v > 0", "v++ > 0"),
    "update in a switch with a continue": (
        _LOOP % "switch (v) { case 1: continue; }", "switch (v)", "switch (v++)",
    ),
    "a goto leads to a read": (
        "unsigned f(unsigned v) { if (v > 3) goto out; v = 1; out: return v; }", "v > 3", "v++ > 3",
    ),
    "fall-through reads": (
        "unsigned f(unsigned v, int n) { unsigned r = 0; switch (n) { case 0: r = v;"
        " case 1: return v; } return r; }", "r = v;", "r = v++;",
    ),
    "a label is jumped to behind a return": (
        "int f(int a) { if (a > 0) goto last; return a; last: a = 1; return a; }", "a = 1", "a = 2",
    ),
    "C22 a label behind a macro": (
        "int f(int a) { void *p = &&last; JUMP(p); return a; last: a = 1; return a; }",
        "a = 1", "a = 2",
    ),
    "a default behind a return": (
        "int f(int a) { switch (a) { case 1: return a; default: a = 1; } return a; }",
        "a = 1", "a = 2",
    ),
    # names that are no locals here
    "C1 a global of unknown type in a range": (
        "int f(void) { return ratio > 0 && ratio < 1; }", "ratio > 0 && ratio < 1", "0",
    ),
    "C2 a global negated": ("int f(void) { return !(ratio < 0); }", "!(ratio < 0)", "ratio >= 0"),
    "C3 a tie of globals": ("double f(void) { return lo < hi ? lo : hi; }", "lo < hi", "lo <= hi"),
    "C27 a macro in a range": (
        "int f(int n) { return LIMIT > 0 && LIMIT < 1; }", "LIMIT > 0 && LIMIT < 1", "0",
    ),
    "C4 a global of the name of a block's local": (
        "int next(int n) { if (n > 0) { unsigned count = n * 2; puti(count); } return count % 7; }",
        "return count % 7", "return count++ % 7",
    ),
    "a global of the name of a loop's local": (
        "void f(int n) { for (int i = 0; i < n; i++) { n--; } i = 0; }", "} i = 0;", "} ;",
    ),
    "a double global before an int local of its name": (
        "double x; int f(void) { int r = x > 0 && x < 1; int x = 3; return r && x > 0; }",
        "x > 0 && x < 1", "0",
    ),
    "a static local": (
        "unsigned f(void) { static unsigned v = 1; return v; }", "return v", "return v++",
    ),
    "a volatile pointer": (
        "int f(int a) { int *volatile p = 0; p = 0; return a; }", "p = 0; return", "; return",
    ),
    "a variable with a cleanup": (
        "int f(int a) { __attribute__((cleanup(show))) int v = 0; v = a; return a; }",
        "v = a;", "v = 2;",
    ),
    "two structs with a field of one name": (
        "struct a { int len; }; struct b { double len; };"
        " int f(struct b s) { return s.len > 0 && s.len < 1; }", "s.len > 0 && s.len < 1", "0",
    ),
    # macros
    "C8 a macro that returns a local": (
        "int f(int a) { int err = 0; if (a > 3) { err = 1; FAIL; } return 2; }",
        "err = 1", "err = 2",
    ),
    "C9 a macro in small letters": (
        "int f(int a) { int err = 0; err = a; check(); return 2; }", "err = a", "err = 7",
    ),
    "C11 a macro defined inside": (
        "int f(int a) {\n#define BACK return err\nint err = 0; err = 1; BACK; }",
        "err = 1", "err = 2",
    ),
    "C10 a macro that evaluates twice": (
        "unsigned f(unsigned x, unsigned y) { return max(x, y); }", "max(x, y)", "max(x++, y)",
    ),
    "C12 a macro that changes the counter": (
        "int f(int n) { int r = 0; if (n < 0) n = 0; for (int i = 0; i < 10; i++) { SKIP(i); r++; }"
        " return r; }", "i < 10", "i != 10",
    ),
    "C20 a counter that a macro makes negative": (
        "int f(int n) { for (int i = 0; i < n; i++) { BACK; if (i < 0) return 1; } return 2; }",
        "i < 0", "0",
    ),
    "a macro of the file": (
        "#define BACK return err\nint f(int a) { int err = 0; err = 1; BACK; }",
        "err = 1", "err = 2",
    ),
    "a constant of the file that is none": (
        "#define LIMIT n--\nint f(int n) { int r = 0; n = 3; r = LIMIT; return r; }", "n = 3",
        "n = 4",
    ),
    # addresses
    "C5 an address in parentheses": (
        "unsigned f(unsigned x) { unsigned *p = &(x); x = 3; return *p; }", "x = 3", "x = 4",
    ),
    "C21 an address of a counter in parentheses": (
        "int f(int n) { for (int i = 0; i < n; i++) { down(&(i)); if (i < 0) return 1; }"
        " return 2; }", "i < 0", "0",
    ),
    "C6 the address of a field": (
        "struct p { int a; }; int f(struct p s, struct p t) { int *q = &s.a; s = t; return *q; }",
        "s = t;", ";",
    ),
    "C7 an array in a struct": (
        "struct p { char b[4]; }; int f(struct p s, struct p t) { char *q = s.b; s = t;"
        " return q[0]; }", "s = t;", ";",
    ),
    "an address through a pointer": (
        "int f(int x) { int *p = &x; x = 3; return *p; }", "x = 3", "x = 4",
    ),
    # values of statements
    "C18 the value of a statement expression": (
        "unsigned f(unsigned x) { return ({ x++; }); }", "x++", "++x",
    ),
    "C19 the assigned value of a statement expression": (
        "int f(int x) { int y; return ({ y = 3; }); }", "y = 3", "y = 4",
    ),
    "the value of an assignment": (
        "int f(int a) { int x; int y = (x = a); return y; }", "x = a", "x = 4",
    ),
    # conversions
    "C13 a char counter with an unsigned bound": (
        "int f(unsigned n) { int r = 0; for (char i = 0; i < n; i++) { if (++r > 999) break; }"
        " return r; }", "i < n", "i != n",
    ),
    "C14 a short counter with a length as its bound": (
        "int f(char *s) { int r = 0; for (short i = 0; i < strlen(s); i++) { r++; } return r; }",
        "i < strlen(s)", "i != strlen(s)",
    ),
    "C15 a char counter gets negative": (
        "int f(int n) { for (signed char i = 0; i < n; i++) { if (i < 0) return 1; } return 2; }",
        "i < 0", "0",
    ),
    "C16 an unsigned literal": (
        "int f(int x) { return x > 5u; }", "x > 5u", "x > 5u && x >= 0",
    ),
    "C17 a negative unsigned literal": (
        "int f(int x) { return x > -1u; }", "x > -1u", "x >= 0",
    ),
    "C28 an unsigned remainder": (
        "int f(unsigned u, int n) { return u % n >= 0 && n > 0; }", "u % n >= 0 && n > 0",
        "u % n > -1 && n > 0",
    ),
    "C30 unsigned and int": (
        "int f(unsigned u, int n) { return (u & n) > -1; }", "(u & n) > -1", "(u & n) >= 0",
    ),
    "C31 an unsigned remainder of two": (
        "int f(unsigned u, unsigned n) { return u % n > -1; }", "u % n > -1", "u % n >= 0",
    ),
    "an unsigned comparison": (
        "int f(unsigned u, int n) { return u >= n && n >= 0; }", "u >= n && n >= 0",
        "u >= n && n > -1 && 1 || u < n && n < 0",
    ),
    "a long made an int": (
        "int f(unsigned long u) { int k = u; return k; }", "return k", "return abs(k)",
    ),
    "a long counter made an int": (
        "int f(long n) { for (long j = 0; j < n; j += 65536) { int k = j; if (k < 0) return 1; }"
        " return 2; }", "k < 0", "0",
    ),
    "unsigned spelled last": (
        "int f(int unsigned u) { return u > -1; }", "u > -1", "u >= 0",
    ),
    "long unsigned": ("int f(long unsigned u) { return u > -1; }", "u > -1", "u >= 0"),
    "unsigned char is promoted": (
        "int f(unsigned char c, int n) { return c - n < 0; }", "c - n < 0", "0",
    ),
    # undefined behaviour that only the mutant has
    "a dead sum overflows": ("int f(int a) { int y = a; return a; }", "y = a", "y = a + 1"),
    "a dead quotient overflows": ("int f(int a) { int y = a; return a; }", "y = a", "y = a / -1"),
    "a dead conversion overflows": (
        "int f(int a, double d) { int y = a; y = 2; return y; }", "y = a", "y = d",
    ),
    "a dead value is not there yet": (
        "int f(int a) { int z; int y = a; z = y; y = 2; return y + z; }", "int y = a; z = y; y = 2",
        "int y = a; z = y; y = z + z",
    ),
    "a dead compound overflows": (
        "int f(int a) { int y = a; y -= 0; return a; }", "y -= 0", "y *= 9",
    ),
    "a dead increment of an int": ("int f(int a) { return a; }", "return a", "return a++"),
    "a negated int": ("int f(int a) { int y = a; return y == 0; }", "y = a", "y = -a"),
    "two uses without an order": (
        "unsigned f(unsigned u, unsigned *x) { return x[u] + u; }", "x[u]", "x[u++]",
    ),
    # what is seen of an expression besides its value
    "assert prints its text": ("int f(int n) { assert(n >= 1); return n; }", "n >= 1", "n > 0"),
    "a macro prints its text": ("int f(int n) { CHECK(n >= 1); return n; }", "n >= 1", "n > 0"),
    "a macro prints its text, in a sum": (
        "int f(int n) { return CHECK(1 + (n >= 1)); }", "n >= 1", "n > 0",
    ),
    "the size of what abs answers": (
        "int f(uint8_t c) { return sizeof(c); }", "sizeof(c)", "sizeof(abs(c))",
    ),
    "the type of what abs answers": (
        "int f(uint8_t c) { return _Generic(c, uint8_t: 1, default: 2); }",
        "_Generic(c", "_Generic(abs(c)",
    ),
    "a tie in memory that may be read only": (
        "void f(char *a, int i, int t) { if (t > a[i]) { a[i] = t; } }", "t > a[i]", "t >= a[i]",
    ),
    "a tie that a device sees": (
        "void f(int t) { volatile int m = 0; if (t > m) m = t; }", "t > m", "t >= m",
    ),
    "a number that changes between two reads": (
        "int f(volatile int n) { return n > 0 || n < 1; }", "n > 0 || n < 1", "1",
    ),
    "an atomic number that changes between two reads": (
        "int f(_Atomic int n) { return n > 0 || n < 1; }", "n > 0 || n < 1", "1",
    ),
    "what may be a macro without parentheses": ("int f(int a) { return !M; }", "!M", "!(M)"),
    "what may be a macro without parentheses, in a choice": (
        "int f(int a) { return !M; }", "!M", "M ? 0 : 1",
    ),
    "an update of what may be a macro": ("void f(void) { M++; }", "M++", "++M"),
    "an update of a field of what may be a macro": ("void f(void) { M->x++; }", "M->x++", "++M->x"),
}  # fmt: skip
