"""Java mutants that an input tells apart, each a trap for a proof: origin, before, after."""

from oracles.datasets.killable_case import Case

_LOOP = "int f(int v, int n) { for (int i = 0; i < n; i++) { %s return 3; } return v; }"

KILLABLE: dict[str, Case] = {
    # jumps in the branches of the changed statement
    "J19 update before a continue": (_LOOP % "if (v > 0) { continue; }", "v > 0", "v++ > 0"),
    "J20 update before a break": (
        "int f(int b, int n) { for (int v = 0; v < n; v++) { if (b < v) { break; } b = n; }"
        " return b; }", "b < v", "b++ < v",
    ),
    "J21 update in a switch with a continue": (
        _LOOP % "switch (v) { case 1: continue; }", "switch (v)", "switch (v++)",
    ),
    "J22 update before a continue in an else": (
        _LOOP % "if (v <= 0) { return 4; } else { if (n > 0) continue; }", "v <= 0", "v++ <= 0",
    ),
    "labelled continue": (
        "int f(int v, int n) { out: for (int i = 0; i < n; i++) { for (int k = 0; k < n; k++) {"
        " if (v > k) continue out; v = 0; } } return v; }", "v > k", "v++ > k",
    ),
    "labelled break out of a block": (
        "int f(int v) { out: { if (v > 0) break out; v = 2; } return v; }", "v > 0", "v++ > 0",
    ),
    "fall-through reads the variable": (
        "int f(int v, int n) { int r = 0; switch (n) { case 0: r = v; case 1: return v; }"
        " return r; }", "r = v;", "r = v++;",
    ),
    # names that are no locals here
    "J1 a double field in a range": (
        "boolean ok() { return ratio > 0 && ratio < 1; }", "ratio > 0 && ratio < 1", "false",
    ),
    "J2 a double field outside a range": (
        "void f() { if (ratio <= 0 || ratio >= 1) { throw new Error(); } }",
        "ratio <= 0 || ratio >= 1", "true",
    ),
    "J3 an untyped lambda parameter": (
        "Object f(java.util.List<Double> xs) { return xs.stream().filter(x -> x > 0 && x < 1); }",
        "x > 0 && x < 1", "false",
    ),
    "J4 negation with NaN": ("boolean f() { return !(a < 0); }", "!(a < 0)", "a >= 0"),
    "J6 a tie of zeros": ("double f() { return lo < hi ? lo : hi; }", "lo < hi", "lo <= hi"),
    "J5 a field called length": (
        "boolean f(Rod s) { return s.length > 0 && s.length < 1; }",
        "s.length > 0 && s.length < 1", "false",
    ),
    "J16 a class of one's own called Vector": (
        "class Vector { double x; double size() { return x; } }"
        " class A { boolean f(Vector v) { return v.size() < 0; } }", "v.size() < 0", "false",
    ),
    "J8 a field of the name of a loop's local": (
        "void reset(int n) { for (int i = 0; i < n; i++) { a[i] = 0; } i = 0; }",
        "} i = 0;", "} ;",
    ),
    "J9 a field of the name of a block's local": (
        "int next(int n) { if (n > 0) { int count = n * 2; log(count); } return count % 7; }",
        "return count % 7", "return count++ % 7",
    ),
    "J10 a field before a local of its name": (
        "int next(int n) { count = n; int r = size(); { int count = r; r += count; } return r; }",
        "count = n;", "count = n + 1;",
    ),
    "a double field before an int local of its name": (
        "boolean f() { boolean r = x > 0 && x < 1; int x = 3; return r && x > 0; }",
        "x > 0 && x < 1", "false",
    ),
    "a lambda parameter of the name of an int field": (
        "class A { int x; Object f(java.util.List<Double> xs) {"
        " return xs.stream().filter(x -> x > 0 && x < 1); } }", "x > 0 && x < 1", "false",
    ),
    "a pattern variable of the name of an int field": (
        "class A { int x; boolean f(Object o) {"
        " return o instanceof Double x && (x > 0 && x < 1); } }", "x > 0 && x < 1", "false",
    ),
    "a record's component of the name of an outer field": (
        "class A { int x; record R(double x) { boolean f() { return x > 0 && x < 1; } } }",
        "x > 0 && x < 1", "false",
    ),
    "an inherited field of the name of an outer one": (
        "class A { int x; class B extends Base { boolean f() { return x > 0 && x < 1; } } }",
        "x > 0 && x < 1", "false",
    ),
    "two classes with a field of one name": (
        "class A { int x; } class B { double x; boolean f() { return this.x > 0 && this.x < 1; } }",
        "this.x > 0 && this.x < 1", "false",
    ),
    "captured by an anonymous class": (
        "Object f(int n) { int[] v = {n}; int k = 0; k = n; return new Object() {"
        " public String toString() { return \"\" + v[0]++; } }; }", "v[0]++", "++v[0]",
    ),
    # values of statements
    "J14 the value of a switch rule": (
        "int f(int x) { return switch (x) { case 1 -> x++; default -> 2; }; }", "x++", "++x",
    ),
    "J15 the assigned value of a switch rule": (
        "int f(int x) { int y = 0; return switch (x) { case 1 -> y = 3; default -> 2; }; }",
        "y = 3", "y = 4",
    ),
    "the value of a switch rule, nested": (
        "int f(int x) { return switch (x) { case 1 -> switch (x) { case 1 -> x--; default -> 0; };"
        " default -> 2; }; }", "x--", "--x",
    ),
    "a lambda's value": (
        "java.util.function.IntUnaryOperator f() { return x -> x++; }", "x++", "++x",
    ),
    "the value of an assignment": (
        "int f(int a) { int x; int y = (x = a); return y; }", "x = a", "x = a + 1",
    ),
    # counters that wrap
    "J11 a byte counter gets negative": (
        "int f(int n) { for (byte i = 0; i < n; i++) { if (i < 0) return 1; } return 2; }",
        "i < 0", "false",
    ),
    "J12 a short counter gets negative": (
        "int f(int n) { for (short i = 0; i < n; i++) { if (i < 0) return 1; } return 2; }",
        "i < 0", "false",
    ),
    "J13 the absolute value of a byte counter": (
        "int f(int n) { int s = 0; for (byte i = 0; i < n; i++) { s = i; if (s < 0) return s; }"
        " return s; }", "s = i", "s = Math.abs(i)",
    ),
    "a sum overflows": (
        "boolean f(int n) { int s = 0; for (int i = 0; i < n; i++) { s += i; } return s < 0; }",
        "s < 0", "false",
    ),
    "an int counter under a long bound": (
        "int f(long n) { for (int i = 0; i < n; i += 65536) { if (i < 0) return 1; } return 2; }",
        "i < 0", "false",
    ),
    "the absolute value of the smallest number": (
        "boolean f(int a) { return Math.abs(a) < 0; }", "Math.abs(a) < 0", "false",
    ),
    # side effects, exceptions, boxes
    "an operand with a side effect": (
        "int f(int a) { if (g() > 0 || g() <= 0) return 1; return 2; }",
        "g() > 0 || g() <= 0", "true",
    ),
    "an operand that fails": (
        "int f(int a, int b) { int y = a / b; y = 1; return y; }", "a / b", "a",
    ),
    "a short-circuit that guards": (
        "boolean f(int[] a, int i) { return i < a.length && a[i] > 0; }", "&&", "&",
    ),
    "an update in a short-circuit": (
        "int f(int a, int b) { boolean r = a > 0 && b > 0; return r ? a : b; }", "a > 0", "a++ > 0",
    ),
    "an empty box": ("Integer f(Integer y) { return y; }", "return y", "return y++"),
    "boxes are compared by identity": (
        "boolean f(Integer a, Integer b) { return a >= b && a <= b; }", "a >= b && a <= b",
        "a == b",
    ),
    "finally reads": (
        "int f(int a) { try { return a; } finally { print(a); } }", "return a", "return a++",
    ),
    "a handler reads": (
        "int f(int a, int[] x) { int y = 0; try { y = 1; y = x[a]; } catch (RuntimeException e) {"
        " return y; } return y; }", "y = 1", "y = 2",
    ),
    "a do loop reads in its condition": (
        "int f(int a, int n) { do { n--; if (n == 3) continue; a = 0; } while (a++ < n);"
        " return a; }", "a = 0", "a = 1",
    ),
    "the update of a loop reads": (
        "int f(int n) { int s = 0, r = 0; for (int i = 0; i < n; i += s) { s = 1; r++; }"
        " return r; }", "s = 1", "s = 2",
    ),
    "a needed continue": (
        "int f(int n) { int r = 0; for (int i = 0; i < n; i++) { if (i > 2) { continue; } r++; }"
        " return r; }", "continue;", ";",
    ),
    "a labelled continue at the end": (
        "int f(int n) { int r = 0; out: for (int i = 0; i < n; i++) { for (int k = 0; k < n; k++) {"
        " r++; continue out; } } return r; }", "continue out;", ";",
    ),
    # numbers
    "NaN is not equal": (
        "boolean f(double a) { return a < 3 || a >= 3; }", "a < 3 || a >= 3", "true",
    ),
    "zeros of both signs": ("double f(double a, double b) { return a < b ? a : b; }", "<", "<="),
    "the sign of a shifted number": ("int f(int a) { return a >> 1; }", ">>", ">>>"),
    "the sign of a remainder": ("int f(int a, int b) { return a % b; }", "return a", "return -a"),
    "the bound changes in the loop": (
        "int f(int n) { int r = 0; for (int i = 0; i < n; i++) { n -= 2; r++; if (r > 9) break; }"
        " return r; }", "i < n", "i != n",
    ),
    "the counter starts above its bound": (
        "int f(int n) { int r = 0; for (int i = 5; i < n; i++) { r++; if (r > 9) break; }"
        " return r; }", "i < n", "i != n",
    ),
    "a counter in parentheses": (
        "int f(int n) { for (int i = 0; i < n; i++) { (i) -= 2; if (i < 0) return 1; }"
        " return 2; }", "i < 0", "false",
    ),
}  # fmt: skip
