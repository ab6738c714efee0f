"""C mutants for the prover: some that are equivalent, some that only look so.

A killable case has what to run, and what stands in another file: a macro, say, that only the
compiler sees. `SHOW` prints a number.
"""
# ruff: noqa: E501

from typing import NamedTuple


class Killable(NamedTuple):
    """A function `f`, the change in it, a run that tells the two apart, and what is out of sight."""

    origin: str
    before: str
    after: str
    run: str
    hidden: str = ""


KILLABLE: dict[str, Killable] = {
    "an end with a value": Killable("int f(int n) { if (n < 2) { return 1; } return 2; }", "return 1;", ";", "SHOW(f(0));"),
    "an end before something": Killable("static int k; void f(int n) { if (n < 2) { return; } k++; }", "return;", ";", "f(0); SHOW(k);"),
    "a break that changes a number": Killable("int f(const char *s) { int n = 0; for (int i = 0;; i++) { n++; if (s[i] == 0) { n = -5; break; } } return n < 0; }", "n < 0", "0", 'SHOW(f("a"));'),
    "a break before a number is set": Killable("int f(int a) { int n = a; for (;;) { if (a > 3) { break; } n = 5; a = 4; } return n > 4; }", "n > 4", "1", "SHOW(f(4)); SHOW(f(0));"),
    "a remainder with the sign of the dividend": Killable("int f(int a, int b) { if (b == 0) { return 0; } return a % b < 0; }", "a % b < 0", "0", "SHOW(f(-1, 2));"),
    "a remainder of an unsigned number": Killable("int f(unsigned a, unsigned b) { if (b == 0) { return 0; } return a % b < b - 1; }", "a % b < b - 1", "1", "SHOW(f(1, 2));"),
    "a quotient by a negative number": Killable("int f(int a, int b) { if (b == 0 || b == -1) { return 0; } return a / b <= a; }", "a / b <= a", "a >= 0", "SHOW(f(-4, 1));"),
    "a value that leaves its bounds": Killable("int f(int n, int top) { int at = 0; for (int i = 0; i < n; i++) { if (at <= top) { at += 2; } } return at <= top; }", "at <= top;", "1;", "SHOW(f(9, 3));"),
    # side effects in operands
    "increment read later": Killable("int f(int a) { int b = a; return a + b; }", "int b = a", "int b = a++", "SHOW(f(3));"),
    "increment in a condition": Killable("int f(int v, int n) { for (int i = 0; i < n; i++) { if (v > 0) { continue; } return 3; } return v; }", "v > 0", "v++ > 0", "SHOW(f(1, 1));"),
    "increment before a break": Killable("int f(int b, int n) { for (int v = 0; v < n; v++) { if (b < v) { break; } b = n; } return b; }", "b < v", "b++ < v", "SHOW(f(-1, 3));"),
    "call in an operand dropped": Killable("static int n; static int next(void) { return ++n; } int f(int a) { return next() * 0 + a; }", "next() * 0 + a", "a", "SHOW(f(1)); SHOW(n);"),
    "order of two calls": Killable("static int n; static int one(void) { n = n * 2 + 1; return n; } static int two(void) { n = n * 3; return n; } int f(void) { int a = one(); int b = two(); return a * 100 + b; }", "int a = one(); int b = two();", "int b = two(); int a = one();", "SHOW(f());"),
    "global increment": Killable("static int x; int f(void) { return x; }", "return x", "return x++", "SHOW(f()); SHOW(f());"),
    "element increment": Killable("int f(int *a) { return a[0]; }", "a[0];", "a[0]++;", "int v[1] = {1}; f(v); SHOW(v[0]);"),
    "assignment on one side": Killable("int f(int c) { int x = 5; int y = c > 0 ? (x = 1) : 1; return x + y; }", "(x = 1) : 1", "(x = 1) : (x = 1)", "SHOW(f(0));"),
    "assignment in a value": Killable("int f(int c) { int x = c; int y = 1; return x + y; }", "y = 1", "y = (x = 1)", "SHOW(f(5));"),
    "comma": Killable("int f(int a) { int b = (a++, a); return b; }", "(a++, a)", "a", "SHOW(f(1));"),
    "index with an effect": Killable("int f(int *a, int i) { a[i++] = 7; return i; }", "a[i++]", "a[i]", "int v[2]; SHOW(f(v, 0));"),
    # overflow and conversions
    "dead store that overflows": Killable("int f(int a) { int y = a; y = 3; return y; }", "int y = a", "int y = a + 1", "SHOW(f(2147483647));"),
    "dead store that divides": Killable("int f(int a) { int y = a; y = 3; return y; }", "int y = a", "int y = a / -1", "SHOW(f(-2147483647 - 1));"),
    "dead store of a fraction": Killable("int f(double d) { int y = 0; y = 3; return y; }", "y = 0", "y = d", "SHOW(f(1e30));"),
    "dead shift": Killable("int f(int n) { int y = 1; y = 3; return y; }", "y = 1", "y = 1 << n", "SHOW(f(40));"),
    "unsigned difference": Killable("int f(unsigned a, unsigned b) { return a > b; }", "a > b", "a - b > 0", "SHOW(f(1, 2));"),
    "signed difference": Killable("int f(int a, int b) { return a > b; }", "a > b", "a - b > 0", "SHOW(f(-2147483647, 5));"),
    "unsigned wrap": Killable("int f(unsigned a) { return a + 1 > a; }", "a + 1 > a", "1", "SHOW(f(4294967295u));"),
    "promotion": Killable("int f(unsigned char a, unsigned char b) { return a - b < 0; }", "a - b < 0", "0", "SHOW(f(1, 2));"),
    "promotion of the complement": Killable("int f(unsigned char a) { return ~a > 0; }", "~a > 0", "(unsigned char) ~a > 0", "SHOW(f(1));"),
    "narrowing": Killable("int f(int a) { char b = a; return b; }", "return b", "return a", "SHOW(f(300));"),
    "char counter": Killable("int f(int n) { for (signed char i = 0; i < n; i++) { if (i < 0) { return 1; } } return 0; }", "i < 0", "0", "SHOW(f(200));"),
    "char is signed": Killable("int f(char c) { return c < 0; }", "c < 0", "0", "SHOW(f((char) 200));"),
    "mixed comparison": Killable("int f(int a, unsigned b) { return a < b; }", "a < b", "a < (int) b", "SHOW(f(-1, 1));"),
    "unsigned literal": Killable("int f(int a) { return a > 5u; }", "5u", "5", "SHOW(f(-1));"),
    "negative unsigned literal": Killable("int f(long a) { return a > -1u; }", "-1u", "-1", "SHOW(f(5));"),
    "unsigned remainder": Killable("int f(int a, unsigned b) { return a % b == 2; }", "a % b", "a % (int) b", "SHOW(f(-5, 3));"),
    "unsigned mask": Killable("int f(int a, unsigned b) { return (a & b) < 0; }", "(a & b)", "(int) (a & b)", "SHOW(f(-1, 0x80000000u));"),
    "enum is unsigned": Killable("enum color { RED, BLUE }; int f(enum color v) { return v - 1 < 0; }", "v - 1 < 0", "v < 1", "SHOW(f(RED));"),
    "size is unsigned": Killable("int f(int i) { int v[3]; return i < sizeof v / sizeof v[0]; }", "sizeof v / sizeof v[0]", "3", "SHOW(f(-1));"),
    "octal": Killable("int f(int a) { return a + 010; }", "010", "10", "SHOW(f(1));"),
    "truth value": Killable("int f(int a) { _Bool b = a; return b; }", "return b", "return a", "SHOW(f(2));"),
    "type of a choice": Killable("long f(int a, int c) { return c ? a : 0u; }", "0u", "0", "SHOW(f(-1, 1));"),
    "product in a wider type": Killable("long f(int a, int b) { return (long) a * b; }", "(long) a * b", "(long) (a * b)", "SHOW(f(65536, 65536));"),
    "distance of a shift": Killable("unsigned f(unsigned a, int n) { return n > 31 ? 0 : a << n; }", "n > 31 ? 0 : a << n", "a << n", "SHOW(f(1, 32));"),
    "shift of a negative number": Killable("int f(int a) { return a * 2; }", "a * 2", "a << 1", "SHOW(f(-1));"),
    "arithmetic shift": Killable("int f(int a) { return a >> 1; }", "a >> 1", "(int) ((unsigned) a >> 1)", "SHOW(f(-2));"),
    "division rounds to zero": Killable("int f(int a) { return a / 2; }", "a / 2", "a >> 1", "SHOW(f(-3));"),
    "remainder sign": Killable("int f(int a) { return a % 2 == 1; }", "a % 2 == 1", "a % 2 != 0", "SHOW(f(-3));"),
    "absolute value": Killable("int f(int a) { return a < 0 ? 1 : 2; }", "a < 0", "abs(a) < 0", "SHOW(f(-1));"),
    # floating point
    "nan comparison": Killable("int f(double a, double b) { return a < b; }", "a < b", "!(a >= b)", "SHOW(f(NAN, 1));"),
    "nan itself": Killable("int f(double a) { return a == a; }", "a == a", "1", "SHOW(f(NAN));"),
    "negative zero": Killable("double f(double a, double b) { return a < b ? a : b; }", "a < b", "a <= b", "SHOW(!!signbit(f(0.0, -0.0)));"),
    "zero plus": Killable("double f(double a) { return a; }", "return a", "return a + 0.0", "SHOW(!!signbit(f(-0.0)));"),
    "float is short": Killable("int f(int a) { return a == 16777216; }", "a == 16777216", "(float) a == 16777216", "SHOW(f(16777217));"),
    "global fraction": Killable("static double ratio = 0.5; int f(void) { return ratio > 0 && ratio < 1; }", "ratio > 0 && ratio < 1", "0", "SHOW(f());"),
    "typedef of a fraction": Killable("int f(number a) { return a == a; }", "a == a", "1", "SHOW(f(NAN));", "typedef double number;"),
    # memory
    "two pointers": Killable("int f(int *a, int *b) { *a = 1; *b = 2; return *a; }", "return *a", "return 1", "int v; SHOW(f(&v, &v));"),
    "bytes of a number": Killable("int f(int *a, char *b) { *a = 1; *b = 2; return *a; }", "return *a", "return 1", "int v; SHOW(f(&v, (char *) &v));"),
    "two indices": Killable("int f(int *a, int i, int j) { a[i] = 1; a[j] = 2; return a[i]; }", "return a[i]", "return 1", "int v[1]; SHOW(f(v, 0, 0));"),
    "address in parentheses": Killable("static void set(int *p) { *p = 5; } int f(void) { int x = 1; set(&(x)); return x; }", "return x", "return 1", "SHOW(f());"),
    "address of a member": Killable("struct pair { int a, b; }; static void put(int *p) { *p = 7; } int f(void) { struct pair s; s.a = 1; put(&s.a); return s.a; }", "return s.a", "return 1", "SHOW(f());"),
    "array passed on": Killable("static void fill(int *p) { p[0] = 9; } int f(void) { int v[2] = {1, 2}; fill(v); return v[0]; }", "return v[0]", "return 1", "SHOW(f());"),
    "array in a struct": Killable("struct box { char buf[4]; }; static void mark(char *p) { p[0] = 9; } int f(void) { struct box s; s.buf[0] = 1; mark(s.buf); return s.buf[0]; }", "return s.buf[0]", "return 1", "SHOW(f());"),
    "address kept": Killable("static int *kept; static void keep(int *p) { kept = p; } static void poke(void) { *kept = 4; } int f(void) { int x = 1; keep(&x); poke(); return x; }", "return x", "return 1", "SHOW(f());"),
    "address of an element": Killable("int f(void) { int v[2] = {1, 2}; int *p = &v[1]; *p = 5; return v[1]; }", "return v[1]", "return 2", "SHOW(f());"),
    "struct copied": Killable("struct two { int a, b; }; int f(struct two *p, struct two *q) { p->a = 1; *p = *q; return p->a; }", "return p->a", "return 1", "struct two x = {3, 3}, y = {4, 4}; SHOW(f(&x, &y));"),
    "union": Killable("union both { int i; unsigned char c[4]; }; int f(union both *p) { p->i = 1; p->c[0] = 2; return p->i; }", "return p->i", "return 1", "union both u; SHOW(f(&u));"),
    "bit field": Killable("struct bits { unsigned x : 2; }; int f(struct bits *p, int v) { p->x = v; return p->x; }", "return p->x", "return v", "struct bits b; SHOW(f(&b, 5));"),
    "global across a call": Killable("static int x; static void g(void) { x = 2; } int f(void) { x = 1; g(); return x; }", "return x", "return 1", "SHOW(f());"),
    "global behind a pointer": Killable("static int x; int f(int *p) { x = 1; *p = 2; return x; }", "return x", "return 1", "SHOW(f(&x));"),
    "shadowed global": Killable("static int x = 5; int f(int n) { if (n > 0) { int x = n; n = x; } return x; }", "return x", "return x++", "SHOW(f(1)); SHOW(f(1));"),
    "counter is a global": Killable("static int i = 7; static int a[3]; void f(int n) { for (int i = 0; i < n; i++) { a[i] = 0; } i = 0; }", "i = 0; }", "; }", "f(2); SHOW(i);"),
    "static local": Killable("int f(void) { static int n = 0; n = n + 1; return n; }", "n = n + 1", "n = 1", "SHOW(f()); SHOW(f());"),
    "static first value": Killable("int f(void) { static int n = 3; return n++; }", "n = 3", "n = 4", "SHOW(f());"),
    "static table": Killable("int f(int i) { static const int t[3] = {1, 2, 3}; return t[i & 1]; }", "2, 3", "4, 3", "SHOW(f(1));"),
    "bounds of an array": Killable("int f(unsigned i) { int v[3] = {1, 2, 3}; if (i < 3) { return v[i]; } return 0; }", "i < 3", "i <= 3", "SHOW(f(3));"),
    "bounds of the caller": Killable("int f(int *a, int n, int i) { return i < n && a[i] > 0; }", "i < n && a[i] > 0", "a[i] > 0 && i < n", "int v[1] = {1}; SHOW(f(v, 1, 1));"),
    "null check removed": Killable("int f(int *p) { if (p == 0) { return 0; } return *p; }", "p == 0", "0", "SHOW(f(0));"),
    "write to a constant": Killable("int f(char *p) { return p[0]; }", "return p[0]", "p[0] = p[0]; return p[0]", "SHOW(f((char *) \"a\"));"),
    "not set": Killable("int f(int a) { int x; if (a) { x = 1; } else { x = 2; } return x; }", "x = 2;", ";", "SHOW(f(0));"),
    "division by zero": Killable("int f(int a, int b) { if (b != 0) { return a / b; } return 0; }", "b != 0", "1", "SHOW(f(1, 0));"),
    # jumps
    "break and continue": Killable("int f(int n) { int c = 0; for (int i = 0; i < n; i++) { if (i == 3) { break; } c++; } return c; }", "break;", "continue;", "SHOW(f(6));"),
    "fall through": Killable("int f(int a) { int r = 0; switch (a) { case 1: r = 1; case 2: r += 2; break; default: r = 9; } return r; }", "r = 1;", "r = 3;", "SHOW(f(1));"),
    "default in the middle": Killable("int f(int a) { int r = 0; switch (a) { default: r = 9; case 1: r += 1; break; case 2: r = 4; } return r; }", "r += 1", "r = 1", "SHOW(f(5));"),
    "continue in a switch": Killable("int f(int n) { int c = 0; for (int i = 0; i < n; i++) { switch (i) { case 1: continue; default: break; } c++; } return c; }", "continue;", "break;", "SHOW(f(3));"),
    "body runs once": Killable("int f(int n) { int c = 0; do { c++; } while (c < n); return c; }", "do { c++; } while (c < n);", "while (c < n) { c++; }", "SHOW(f(0));"),
    "goto ahead": Killable("int f(int a) { int r = 1; if (a) { goto out; } r = 2; out: return r; }", "goto out;", ";", "SHOW(f(1));"),
    "goto back": Killable("int f(int n) { int i = 0; again: i++; if (i > 9) { return -1; } if (i < n) { goto again; } return i; }", "i < n", "i != n", "SHOW(f(0));"),
    "label in the body": Killable("int f(int n) { int c = 0; if (n > 3) { goto inside; } while (c < 2) { c = 5; inside: c++; } return c; }", "c = 5", "c = 6", "SHOW(f(1));"),
    # macros
    "macro that returns": Killable("#define FAIL return err\nint f(int a) { int err = a; if (a) { FAIL; } err = 0; return 2; }", "int err = a", "int err = 1", "SHOW(f(5));"),
    "macro in small letters": Killable("#define bump i++\nint f(int n) { int s = 0; for (int i = 0; i < n; i++) { bump; s++; if (s > 9) { return -1; } } return s; }", "i < n", "i != n", "SHOW(f(3));"),
    "macro that evaluates twice": Killable("#define max(a, b) ((a) > (b) ? (a) : (b))\nint f(int x, int y) { int r = max(x, y); return r; }", "max(x, y)", "max(x++, y)", "SHOW(f(5, 1));"),
    "macro that keeps an address": Killable("static int *kept; static void poke(void) { *kept = 4; }\n#define KEEP(v) (kept = &(v))\nint f(void) { int x = 1; KEEP(x); poke(); return x; }", "return x", "return 1", "SHOW(f());"),
    "macro that sees its text": Killable("#define FIRST(x) (#x[0])\nint f(int a) { return FIRST(a + 1); }", "a + 1", "1 + a", "SHOW(f(1));"),
    "macro out of sight": Killable("int f(int n) { int s = 0; for (int i = 0; i < n; i++) { SKIP; s++; if (s > 9) { return -1; } } return s; }", "i < n", "i != n", "SHOW(f(3));", "#define SKIP i++"),
    "small macro out of sight": Killable("int f(int n) { int s = 0; for (int i = 0; i < n; i++) { skip; s++; if (s > 9) { return -1; } } return s; }", "i < n", "i != n", "SHOW(f(3));", "#define skip i++"),
    "call out of sight": Killable("int f(int a) { int b = a; check(a); b = 0; return b; }", "int b = a", "int b = 1", "SHOW(f(5));", "#define check(x) do { if (x) return b; } while (0)"),
    "line out of sight": Killable("int f(int a) { return a +\nwhere(); }", "a +\nwhere()", "a + where()", "SHOW(f(0) & 1);", "#define where() (__LINE__ & 1)"),
    "condition out of sight": Killable("int f(int a) { int b = 1; while (more()) { b = 2; a--; } return b; }", "b = 2", "b = 3", "SHOW(f(2));", "#define more() (a > 0)"),
    "constant redefined": Killable("#define INT_LIMIT 10\n#undef INT_LIMIT\n#define INT_LIMIT 20\nint f(int a) { return a > INT_LIMIT; }", "a > INT_LIMIT", "a > 10", "SHOW(f(15));"),
    "own strlen": Killable("static int strlen_(const char *s) { return -1; }\n#define strlen strlen_\nint f(const char *s) { return strlen(s) < 0; }", "strlen(s) < 0", "0", 'SHOW(f("a"));'),
}  # fmt: skip

REFUSED: dict[str, tuple[str, str, str]] = {
    "volatile": ("static volatile int v; int f(void) { v = 1; v = 2; return 0; }", "v = 1;", ";"),
    "volatile local": ("int f(void) { volatile int v = 1; v = 2; return 0; }", "v = 2;", ";"),
    "assembler": ("int f(int a) { int b = a; __asm__(\"nop\" : \"+r\"(b)); return 1; }", "b = a", "b = 1"),
    "statement in an expression": ("int f(int x) { return ({ x++; }); }", "x++", "++x"),
    "returns twice": ("int f(void) { int a = 1; if (setjmp(env)) { return a; } a = 2; longjmp(env, 1); }", "a = 2", "a = 3"),
    "array of any length": ("int f(int n) { int v[n]; v[0] = 1; return v[0]; }", "return v[0]", "return 1"),
    "line": ("int f(int a) { return a + __LINE__; }", "a + __LINE__", "__LINE__ + a"),
    "computed goto": ("int f(int a) { void *p = &&out; a = 1; goto *p; out: return a; }", "a = 1", "a = 2"),
    "order of operands": ("static int x; static int g(void) { x = 1; return 2; } int f(void) { return g() + x; }", "g() + x", "x + g()"),
    "order of indices": ("static int x; static int g(void) { x = 1; return 0; } int f(void) { int t[2][2] = {{1, 2}}; int r = t[g()][x]; return r; }", "int r = t[g()][x]", "int i = g(); int r = t[i][x]"),
    "changed twice": ("int f(int i) { i = i++ + 1; return i; }", "i++ + 1", "i + 1"),
    "macro inside": ("int f(int a) {\n#define STEP a++\n STEP; return a + 0; }", "a + 0", "a"),
    "two files": ("int f(int a) { return a; }\nint g(int a) { return a; }", "int g(int a) { return a", "int g(int a) { return a + 1"),
}  # fmt: skip
"""Nothing is proved of these, whatever they do: what they mean is not in the text."""

EQUIVALENT: dict[str, tuple[str, str, str]] = {
    "an end like another": ("void f(int *a, int n) { if (n < 2) { return; } for (int i = 1; i < n; i++) { a[i] = 0; } }", "return;", ";"),
    "behind a loop that breaks": ("int f(const char *s) { int n = 0; for (int i = 0;; i++) { if (s[i] == 32) { n++; } if (s[i] == 0) { break; } } return n; }", "return n", "return n--"),
    "behind a loop that tests last": ("int f(const int *a, int n) { int k = 0; do { k++; } while (k < n && a[k] > 0); return k > 0; }", "k > 0;", "k >= 1;"),
    "a remainder of either sign": ("int f(int a, int b) { if (b == 0) { return 0; } return a % b != 0; }", "a % b != 0", "-abs(a % b) != 0"),
    "a quotient is no larger": ("int f(unsigned a, unsigned b) { return a / b <= a; }", "a / b <= a", "b != 0"),
    "a value between bounds": ("int f(const int *a, int n, int top) { int at = 0, way = 0; if (top <= 0 || top > 200) { return 0; } for (int i = 0; i < n; i++) { int to = a[i]; if (to < 0) { to = 0; } if (to > top) { to = top; } way ^= at - to; at = to; } return way; }", "at - to", "at++ - to"),
    "maximum tie": ("int f(int a, int b) { if (a > b) { return a; } return b; }", "a > b", "a >= b"),
    "unsigned": ("int f(unsigned a) { return a <= 0; }", "<= 0", "== 0"),
    "no overflow": ("int f(int a) { return a + 1 > a; }", "a + 1 > a", "a + 1 != a"),
    "absolute of a length": ("long f(const char *s) { return labs(strlen(s)); }", "labs(strlen(s))", "strlen(s)"),
    "after an early exit": ("int f(int a) { if (a < 0) { return 1; } if (a <= 0) { return 2; } return 3; }", "a <= 0", "a == 0"),
    "loop bound": ("int f(const int *a, int n) { int s = 0; if (n < 0) { return 0; } for (int i = 0; i < n; i++) { s ^= a[i]; } return s; }", "i < n", "i != n"),
    "dead store": ("int f(int x) { int y = x & 1; y = 3; return y; }", "x & 1", "x | 1"),
    "last increment": ("int f(unsigned a) { return a; }", "return a", "return a++"),
    "access succeeded": ("int f(int *p) { int x = *p; if (p) { return x; } return 1; }", "if (p)", "if (1)"),
    "digit": ("int f(char c) { return c >= '0' && c <= '9' ? c - '0' : -1; }", "c - '0' : -1", "c - 48 : -1"),
    "byte": ("int f(int a) { unsigned char c = 250; c += a & 3; return c; }", "c += a & 3", "c = (a & 3) - 6"),
    "own array": ("int f(int n) { int t[4] = {0}; t[n & 3] = 1; return t[0]; }", "return t[0]", "return t[0]++"),
    "two dimensions": ("int f(int n) { int t[2][3] = {{0}}; t[1][2] = n; return t[1][2]; }", "return t[1][2]", "return n"),
    "fall through": ("int f(int a) { int r = 0; switch (a) { case 1: r = 1; case 2: r = 2; break; default: r = 9; } return r; }", "r = 1;", "r = 3;"),
    "goto ahead": ("int f(int a) { int r = 1; if (a > 0) { goto out; } if (a <= 0) { r = 2; } out: return r; }", "a <= 0", "1"),
    "constant": ("#define LIMIT 10\nint f(int a) { return a < LIMIT; }", "a < LIMIT", "a <= 9"),
    "enum": ("enum color { RED, BLUE = 3, GREEN }; int f(int a) { return a + GREEN; }", "a + GREEN", "a + 4"),
    "typedef": ("typedef unsigned long word; int f(word a) { return a <= 0; }", "<= 0", "== 0"),
    "member": ("struct pair { int a, b; }; int f(struct pair *p) { p->a = 1; p->b = 2; return p->a; }", "return p->a", "return 1"),
    "size": ("int f(int i) { int v[3]; return i < (int) (sizeof v / sizeof v[0]); }", "(int) (sizeof v / sizeof v[0])", "3"),
    "pointer walk": ("int f(const char *s) { int n = 0; while (*s) { n ^= *s; s++; } return n; }", "while (*s)", "while (*s != 0)"),
    "comma": ("int f(int a) { int b; b = 1, a = 2; return a + b; }", "b = 1, a = 2", "a = 2, b = 1"),
    "local of its own": ("static int g(int a) { return a; } int f(int a) { int x = 1; g(a); return x; }", "return x", "return 1"),
    "undeclared names": ("int f(int a) { if (a > LIMIT) { report(a); } if (a >= 0 && a <= 0) { return 1; } return 2; }", "a >= 0 && a <= 0", "a == 0"),
    "library": ("int f(int c) { return toupper(c) <= 255; }", "toupper(c) <= 255", "toupper(c) < 256"),
}  # fmt: skip
