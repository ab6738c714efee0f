"""Java mutants for the prover: some that are equivalent, some that only look so."""
# ruff: noqa: E501

KILLABLE: dict[str, tuple[str, str, str]] = {
    "a loop that comes back or breaks": (
        "int f(int x, int[] a) { int n = 0; while (x > 0) { n = n + 1; if (a[0] > n) { return 1; } "
        "else { break; } } if (n >= 0) return 5; return 6; }", "n >= 0", "n == 0"),
    # side effects in operands
    "increment read later": ("int f(int a) { int b = a; return a + b; }", "int b = a", "int b = a++"),
    "increment in a condition": (
        "int f(int v, int n) { for (int i = 0; i < n; i++) { if (v > 0) { continue; } return 3; } "
        "return v; }", "v > 0", "v++ > 0"),
    "increment before a break": (
        "int f(int b, int n) { for (int v = 0; v < n; v++) { if (b < v) { break; } b = n; } "
        "return b; }", "b < v", "b++ < v"),
    "call in an operand dropped": (
        "int g; int f(int a) { return next() * 0 + a; }", "next() * 0 + a", "a"),
    "order of two calls": ("int f() { return one() + two(); }", "one() + two()", "two() + one()"),
    "field increment": ("int f() { return this.x; }", "this.x", "this.x++"),
    "unknown field increment": ("int f() { return x; }", "return x", "return x++"),
    "array element increment": ("int f(int[] a) { return a[0]; }", "a[0];", "a[0]++;"),
    "assignment as value": ("int f(int a) { int b; int c = (b = a); return b + c; }",
                            "(b = a)", "(b = a + 1)"),
    "assignment on one side": ("int f(int c) { int x = 5; int y = c > 0 ? (x = 1) : 1; return x + y; }", "(x = 1) : 1", "(x = 1) : (x = 1)"),
    "assignment in a value": ("int f(int c) { int x = c; int y = 1; return x + y; }", "y = 1", "y = (x = 1)"),
    # overflow
    "sum against difference": ("boolean f(int a, int b) { return a > b; }", "a > b", "a - b > 0"),
    "negated minimum": ("int f(int a) { return Math.abs(a) >= 0 ? 1 : 2; }",
                        "Math.abs(a) >= 0", "true"),
    "next is larger": ("boolean f(int a) { return a + 1 > a; }", "a + 1 > a", "true"),
    "product sign": ("boolean f(int a) { return a * a >= 0; }", "a * a >= 0", "true"),
    "long against int": ("long f(int a, int b) { return (long) a * b; }", "(long) a * b", "(long) (a * b)"),
    "narrowing": ("int f(int a) { byte b = (byte) a; return b; }", "return b", "return a"),
    "byte counter": ("int f(int n) { for (byte i = 0; i < n; i++) { if (i < 0) { return 1; } } "
                     "return 0; }", "i < 0", "false"),
    "char is unsigned": ("int f(char c) { return (short) c < 0 ? 1 : 0; }", "(short) c < 0", "false"),
    "compound narrowing": ("int f(int a) { byte b = 100; b += a; return b; }", "b += a", "b = (byte) a"),
    "shift distance": ("int f(int a, int n) { return a << n; }", "a << n", "n > 31 ? 0 : a << n"),
    "arithmetic shift": ("int f(int a) { return a >> 1; }", ">> 1", ">>> 1"),
    "division rounds to zero": ("int f(int a) { return a / 2; }", "a / 2", "a >> 1"),
    "remainder sign": ("boolean f(int a) { return a % 2 == 1; }", "a % 2 == 1", "a % 2 != 0"),
    # floating point
    "nan comparison": ("boolean f(double a, double b) { return a < b; }", "a < b", "!(a >= b)"),
    "nan itself": ("boolean f(double a) { return a == a; }", "a == a", "true"),
    "negative zero": ("double f(double a, double b) { return a < b ? a : b; }", "a < b", "a <= b"),
    "zero plus": ("double f(double a) { return a; }", "return a", "return a + 0.0"),
    "association": ("double f(double a, double b, double c) { return (a + b) + c; }",
                    "(a + b) + c", "a + (b + c)"),
    "double field": ("double ratio; boolean ok() { return ratio > 0 && ratio < 1; }",
                     "ratio > 0 && ratio < 1", "false"),
    # aliasing
    "two arrays": ("int f(int[] a, int[] b) { a[0] = 1; b[0] = 2; return a[0]; }",
                   "return a[0]", "return 1"),
    "two indices": ("int f(int[] a, int i, int j) { a[i] = 1; a[j] = 2; return a[i]; }",
                    "return a[i]", "return 1"),
    "this and another": ("int x; int f(A o) { this.x = 1; o.x = 2; return this.x; }",
                         "return this.x", "return 1"),
    "field across a call": ("int f() { x = 1; g(); return x; }", "return x", "return 1"),
    "static by two names": ("int f() { count = 1; A.count = 2; return count; }",
                            "return count", "return 1"),
    "static through two objects": (  # `n` may be one place for all objects
        "void f(A a, A b) { if (a == b || a == null || b == null) { return; } a.n = p; b.n = q; }",
        "a.n = p; b.n = q;",
        "b.n = q; a.n = p;",
    ),
    "array across a call": ("int f(int[] a) { a[0] = 1; g(a); return a[0]; }",
                            "return a[0]", "return 1"),
    # exceptions
    "null check removed": ("int f(String s) { if (s == null) { return 0; } return s.length(); }",
                           "s == null", "false"),
    "bounds check removed": ("int f(int[] a, int i) { if (i < a.length) { return a[i]; } return 0; }",
                             "i < a.length", "i <= a.length"),
    "division by zero": ("int f(int a, int b) { if (b != 0) { return a / b; } return 0; }",
                         "b != 0", "true"),
    "short circuit guards": ("boolean f(int[] a, int i) { return i < a.length && a[i] > 0; }",
                             "i < a.length && a[i] > 0", "a[i] > 0 && i < a.length"),
    "caught": ("int f(int[] a, int i) { int r = 0; try { r = 1; r = a[i]; } catch (Exception e) { "
               "return r; } return r; }", "r = 1", "r = 2"),
    "finally runs": ("int f(int a) { int r = a; try { g(); } finally { h(r); } return 1; }",
                     "int r = a", "int r = a + 1"),
    "return in finally": ("int f(int a) { try { return a; } finally { g(); } }",
                          "g();", ";"),
    "thrown message": ("int f(int a) { if (a < 0) { throw new RuntimeException(\"a\" + a); } "
                       "return a; }", '"a" + a', '"a" + (a + 1)'),
    # jumps
    "labelled continue": (
        "int f(int n) { int c = 0; outer: for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) "
        "{ if (j == i) { continue outer; } c++; } } return c; }", "continue outer", "continue"),
    "break and continue": ("int f(int n) { int c = 0; for (int i = 0; i < n; i++) { if (i == 3) { "
                           "break; } c++; } return c; }", "break;", "continue;"),
    "fall through": ("int f(int a) { int r = 0; switch (a) { case 1: r = 1; case 2: r += 2; break; "
                     "default: r = 9; } return r; }", "r = 1;", "r = 3;"),
    # objects
    "boxed equality": ("boolean f(Integer a, Integer b) { return a.equals(b); }",
                       "a.equals(b)", "a == b"),
    "string identity": ("boolean f(String s) { String a = s.trim(); String b = s.trim(); "
                        "return a == b; }", "a == b", "true"),
    "captured value": ("Runnable f(int a) { int b = a; return () -> g(b); }",
                       "int b = a", "int b = a + 1"),
    "size of own class": ("boolean f(Box b) { return b.size() <= 0; }", "<= 0", "== 0"),
    "index of -1": ("boolean f(String s) { return s.indexOf('a') >= 0; }", ">= 0", "> 0"),
    "char in concatenation": ("String f(boolean b) { return \"\" + (b ? 'a' : 1); }",
                              "b ? 'a' : 1", "b ? 97 : 1"),
    "enum or not": ("int f(Color c) { if (c == Color.RED) { return 1; } return 2; }",
                    "c == Color.RED", "c != Color.GREEN"),
    "size after add": ("int f(List<String> l, String s) { int a = l.size(); l.add(s); "
                       "return l.size() - a; }", "l.size() - a", "0"),
    "length after append": ("int f(StringBuilder b, char c) { int a = b.length(); b.append(c); "
                            "return b.length() == a ? 1 : 2; }", "b.length() == a", "true"),
    "size after an unknown call": ("int f(List<String> l) { int a = l.size(); g(); return l.size() - a; }",
                                   "l.size() - a", "0"),
    "empty and empty text": ("int f(String s, String t) { return s.indexOf(t) < s.length() ? 1 : 2; }",
                             "s.indexOf(t) < s.length()", "true"),
    "contains of another's text": ("boolean f(String s, CharSequence c) { boolean a = s.contains(c); "
                                   "return a == s.contains(c); }", "a == s.contains(c)", "true"),
    "compare of chars": ("int f(char a, char b) { return Integer.compare(a, b); }",
                         "Integer.compare(a, b)", "Integer.compare((short) a, (short) b)"),
    "bit set is empty": ("boolean f(BitSet b) { return b.isEmpty(); }", "b.isEmpty()", "b.size() == 0"),
    "map get": ("Object f(Map<String, String> m, String k) { Object a = m.get(k); return m.get(k); }",
                "Object a = m.get(k); ", ""),
    "double maximum": ("double f(double a) { return Math.max(a, 0.0); }",
                       "Math.max(a, 0.0)", "(a >= 0.0 ? a : 0.0)"),
    "shadowed": ("int x; int f(int n) { if (n > 0) { int x = n; g(x); } return x; }",
                 "return x", "return x++"),
    "loop counter is a field": ("void reset(int n) { for (int i = 0; i < n; i++) { a[i] = 0; } i = 0; }",
                                "i = 0; }", "; }"),
}  # fmt: skip

EQUIVALENT: dict[str, tuple[str, str, str]] = {
    "a loop that never comes back": (
        "int f(int x, int[] a) { int n = 0; while (x > 0) { n = n + 1; if (a[0] > n) { return 1; } "
        "else { return n; } } if (n >= 0) return 5; return 6; }", "n >= 0", "n == 0"),
    "maximum tie": ("int f(int a, int b) { if (a > b) return a; return b; }", "a > b", "a >= b"),
    "size": ("boolean f(List<String> l) { return l.size() <= 0; }", "<= 0", "== 0"),
    "index": ("boolean f(String s) { return s.indexOf('a') < 0; }", "< 0", "== -1"),
    "access succeeded": ("int f(int[] a, int i) { int x = a[i]; if (i >= 0) return x; return 1; }",
                         "i >= 0", "true"),
    "after an early exit": ("int f(int a) { if (a < 0) return 1; if (a <= 0) return 2; return 3; }",
                            "a <= 0", "a == 0"),
    "loop bound": ("int f(int[] a) { int n = 0; for (int i = 0; i < a.length; i++) { n += a[i]; } "
                   "return n; }", "i < a.length", "i != a.length"),
    "counter": ("int f(String s) { int c = 0; for (int i = 0; i < s.length(); i++) { "
                "if (s.charAt(i) == 'a') c++; } if (c > 0) return c; return 0; }",
                "c > 0", "c != 0"),
    "dead store": ("int f(int x) { int y = x + 1; y = 3; return y; }", "x + 1", "x - 1"),
    "last increment": ("int f(int a) { return a; }", "return a", "return a++"),
    "shortcut": ("int f(int n) { if (n <= 0) { return 0; } int s = 0; "
                 "for (int i = 0; i < n; i++) { s += i; } return s; }", "n <= 0", "n < 0"),
    "absolute": ("int f(String s) { return Math.abs(s.length()); }", "Math.abs(s.length())", "s.length()"),
    "remainder": ("boolean f(int a) { int r = a & 7; return r % 8 >= 0; }", ">= 0", "> -1"),
    "size asked twice": ("int f(List<String> l) { int a = l.size(); return l.size() - a; }",
                         "l.size() - a", "0"),
    "empty or no size": ("boolean f(Set<String> l) { return l.isEmpty(); }", "l.isEmpty()",
                         "l.size() == 0"),
    "every iteration": ("int f(int[] a) { int last = 0, n = 0; for (int i = 0; i < a.length; i++) { "
                        "last = 1; last = a[i]; n += last; } return n; }", "last = 1", "last = 2"),
    "own array": ("int f(int n) { int[] t = new int[n]; return t[0]; }", "t[0];", "t[0]++;"),
}  # fmt: skip
