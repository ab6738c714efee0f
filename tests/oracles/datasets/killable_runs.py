"""How each killable case is killed: what stands around it, and a run that tells the two apart."""

Run = tuple[str, str]
"""Code before the case, and an expression (Python, Java) or statements (C) that run it."""

_LOUD = """
log = []
class Loud:
    def __bool__(self): log.append("bool"); return True
    def __add__(self, other): log.append("add"); return 1
    def __lt__(self, other): log.append("lt"); return True
"""
_FRAME = "import sys\ndef seen(): return sys._getframe(2).f_locals['x']\n"
_PLAIN = "f(0, 0, [])"

PYTHON: dict[str, Run] = {
    "P15 store before a continue": ("", "f(1, 5, [])"),
    "P16 update before a break": ("", "f(12, 0, [])"),
    "an else of a loop reads": ("", "f(1, 5, [])"),
    "a needed continue": ("", "f(0, 0, [1])"),
    "a text that shows the expression": ("", "f(1, 0, [])"),
    "a text that shows a comparison": ("", _PLAIN),
    "a text that shows a comparison to a nested format": (
        "class A:\n    def __format__(self, given): return given\n", "f(A(), 0, [])",
    ),
    "a finally reads": ("", _PLAIN),
    "a handler reads": ("", "f(5, 0, [])"),
    "a suppressed failure": ("from contextlib import suppress\n", "f(5, 0, [])"),
    "a generator shows its state": ("", "next(f(0, 0, []))()"),
    "a loop without a round": ("", _PLAIN),
    "a while that reads": ("", "f('x', 1, [])"),
    "P1 a capture of a match": ("", "f(0, 0, [-1])"),
    "P2 a capture of a match after a star": ("", "f(0, 0, [1, 2])"),
    "a capture of a mapping": ("", "f(0, 0, {'k': -1})"),
    "a capture with as": ("", "f(-1, 0, [])"),
    "P6 a starred target": ("", "f(0, 0, [1])"),
    "P8 an import": ("", _PLAIN),
    "an import from": ("", _PLAIN),
    "a with's name": (
        "class M:\n    def __enter__(self): return -1\n    def __exit__(self, *e): pass\n",
        "f(M(), 0, [])",
    ),
    "a with's names": (
        "class M:\n    def __enter__(self): return -1, 0\n    def __exit__(self, *e): pass\n",
        "f(M(), 0, [])",
    ),
    "a with's names in brackets": (
        "class M:\n    def __enter__(self): return 0, -1\n    def __exit__(self, *e): pass\n",
        "f(M(), 0, [])",
    ),
    "a nested function of the name": ("", _PLAIN),
    "a class of the name": ("", _PLAIN),
    "deleted": ("", "f(1, 0, [])"),
    "nonlocal": ("", "f()"),
    "global": ("n = 0\n", "(f(0, 0, []), n)"),
    "a name that a store makes local": ("k = 5\n", _PLAIN),
    "captured by a lambda": ("", "f(0, 0, [])()"),
    "captured by a comprehension": ("", "list(f(0, 0, [7]))"),
    "P3 the last reference": (
        "log = []\nclass H:\n    def write(self, b): pass\n    def __del__(self): log.append(1)\n"
        "def open(a): return H()\ndef reopen(a): return list(log)\n", _PLAIN,
    ),
    "P4 a weak reference": (
        "from weakref import ref\nclass O: pass\nmake = O\n", "f(0, 0, []) is None",
    ),
    "a second reference": (
        "class O:\n    count = 0\n    def __init__(self): O.count += 1\n"
        "    def __del__(self): O.count -= 1\ndef alive(): return O.count\n", "f(O(), 0, [])",
    ),
    "P5 a query reads by name": (
        _FRAME + "class D:\n    def query(self, text): return seen()\n", "f(0, 0, D())",
    ),
    "P13 a frame": ("import inspect\n", "dict(f(5, 0, []))"),
    "a query in a language of its own": (
        _FRAME + "class duckdb:\n    sql = staticmethod(lambda text: seen())\n", _PLAIN,
    ),
    "locals": ("", _PLAIN),
    "P7 a truth that is asked": (_LOUD, "(f(Loud(), 1), log)"),
    "a negation that is asked": (_LOUD, "(f(Loud()), log)"),
    "a sum that is asked": (_LOUD, "(f(Loud(), 1), log)"),
    "a comparison that is asked": (_LOUD, "(f(Loud(), 1), log)"),
    "an update in place": ("", "(lambda xs: (f(0, 0, xs), xs))([])"),
    "P9 None by default": ("", "f(0.5)"),
    "P10 a raw f-string": ("", "f(0, 0, [1])"),
    "an f-string": ("", "f(0, 0, [1])"),
    "P11 len is a parameter": ("", "f(lambda x: -1, [])"),
    "len is a function of the file": ("", "f([])"),
    "abs is a parameter": ("", "f(lambda k: 5)"),
    "range is a parameter": ("", "f(lambda n: [-1])"),
    "P12 a yield that is not reached": ("", "type(f(0, 0, []))"),
    "an await that is not reached": ("", "f.__name__"),
    "a capture that is not reached": ("k = 5\n", _PLAIN),
    "P14 a truth value is a whole number": ("", "f(True)"),
    "P14 of two truth values": ("", "f(True, True)"),
    "P14 abs is a parameter": ("", "f(True, lambda v: v)"),
    "a tie of True and 1": ("", "f(True, 1, [])"),
    "a tie in an if of True and 1": ("", "f(True, 1, [])"),
    "fractions": ("", "f(2.5)"),
    "the sign of a remainder": ("", "f(1, 3, [])"),
    "a loop over what is written": ("", "f(-1, 0, [])"),
}  # fmt: skip

_RATIO = "static double ratio = %s;"
C: dict[str, Run] = {
    "C29 update before a continue": ("", "SHOW(f(1, 1));"),
    "update before a break": ("", "SHOW(f(1, 1));"),
    "update in a switch with a continue": ("", "SHOW(f(1, 1));"),
    "a goto leads to a read": ("", "SHOW(f(5));"),
    "fall-through reads": ("", "SHOW(f(5, 0));"),
    "a label is jumped to behind a return": ("", "SHOW(f(1));"),
    "C22 a label behind a macro": ("#define JUMP(p) goto *p", "SHOW(f(0));"),
    "a default behind a return": ("", "SHOW(f(2));"),
    "C1 a global of unknown type in a range": (_RATIO % "0.5", "SHOW(f());"),
    "C2 a global negated": (_RATIO % "NAN", "SHOW(f());"),
    "C3 a tie of globals": ("static double lo = 0.0, hi = -0.0;", "SHOW(signbit(f()) != 0);"),
    "C27 a macro in a range": ("#define LIMIT 0.5", "SHOW(f(1));"),
    "C4 a global of the name of a block's local": (
        "static unsigned count = 3; static void puti(unsigned x) {}", "next(0); SHOW(next(0));",
    ),
    "a global of the name of a loop's local": ("static int i = 5;", "f(1); SHOW(i);"),
    "a double global before an int local of its name": ("", "x = 0.5; SHOW(f());"),
    "a static local": ("", "f(); SHOW(f());"),
    "a variable with a cleanup": ("static void show(int *v) { SHOW(*v); }", "f(1);"),
    "two structs with a field of one name": ("", "SHOW(f((struct b) {0.5}));"),
    "C8 a macro that returns a local": ("#define FAIL return err", "SHOW(f(4));"),
    "C9 a macro in small letters": ("#define check() return err", "SHOW(f(3));"),
    "C11 a macro defined inside": ("", "SHOW(f(0));"),
    "C10 a macro that evaluates twice": (
        "#define max(a, b) ((a) > (b) ? (a) : (b))", "SHOW(f(5, 1));",
    ),
    "C12 a macro that changes the counter": ("#define SKIP(i) i += 2", "SHOW(f(1));"),
    "C20 a counter that a macro makes negative": ("#define BACK i -= 2", "SHOW(f(1));"),
    "a macro of the file": ("", "SHOW(f(0));"),
    "a constant of the file that is none": ("", "SHOW(f(0));"),
    "C5 an address in parentheses": ("", "SHOW(f(0));"),
    "C21 an address of a counter in parentheses": (
        "static void down(int *i) { *i -= 5; }", "SHOW(f(1));",
    ),
    "C6 the address of a field": ("", "SHOW(f((struct p) {1}, (struct p) {2}));"),
    "C7 an array in a struct": ("", 'SHOW(f((struct p) {"a"}, (struct p) {"b"}));'),
    "an address through a pointer": ("", "SHOW(f(0));"),
    "C18 the value of a statement expression": ("", "SHOW(f(1));"),
    "C19 the assigned value of a statement expression": ("", "SHOW(f(0));"),
    "the value of an assignment": ("", "SHOW(f(1));"),
    "C13 a char counter with an unsigned bound": ("", "SHOW(f(200));"),
    "C14 a short counter with a length as its bound": (
        "static char big[40001];", "memset(big, 'a', 40000); SHOW(f(big));",
    ),
    "C15 a char counter gets negative": ("", "SHOW(f(200));"),
    "C16 an unsigned literal": ("", "SHOW(f(-1));"),
    "C17 a negative unsigned literal": ("", "SHOW(f(3));"),
    "C28 an unsigned remainder": ("", "SHOW(f(5, 3));"),
    "C30 unsigned and int": ("", "SHOW(f(1, 1));"),
    "C31 an unsigned remainder of two": ("", "SHOW(f(5, 3));"),
    "an unsigned comparison": ("", "SHOW(f(1, -1));"),
    "a long made an int": ("", "SHOW(f(0xFFFFFFFFul));"),
    "a long counter made an int": ("", "SHOW(f(1l << 32));"),
    "unsigned spelled last": ("", "SHOW(f(1));"),
    "long unsigned": ("", "SHOW(f(1));"),
    "unsigned char is promoted": ("", "SHOW(f(1, 2));"),
    "a dead sum overflows": ("", "SHOW(f(2147483647));"),
    "a dead quotient overflows": ("", "SHOW(f(-2147483647 - 1));"),
    "a dead conversion overflows": ("", "SHOW(f(0, 1e300));"),
    "a dead value is not there yet": ("", "SHOW(f(5));"),
    "a dead compound overflows": ("", "SHOW(f(2147483647));"),
    "a dead increment of an int": ("", "SHOW(f(2147483647));"),
    "a negated int": ("", "SHOW(f(-2147483647 - 1));"),
    "two uses without an order": ("", "unsigned x[] = {1, 2}; SHOW(f(0, x));"),
    "assert prints its text": ("#undef assert\n#define assert(x) printf(\"%s;\", #x)", "f(2);"),
    "a macro prints its text": ("#define CHECK(x) printf(\"%s;\", #x)", "f(2);"),
    "a macro prints its text, in a sum": ("#define CHECK(x) printf(\"%s;\", #x)", "f(2);"),
    "the size of what abs answers": ("#include <stdint.h>", "SHOW(f(1));"),
    "the type of what abs answers": ("#include <stdint.h>", "SHOW(f(1));"),
    "what may be a macro without parentheses": ("#define M a < 3", "SHOW(f(1));"),
    "what may be a macro without parentheses, in a choice": ("#define M a < 3", "SHOW(f(1));"),
    "an update of what may be a macro": (
        "static int v[2] = {5, 7}; static int *p = v;\n#define M *p", "f(); SHOW(v[0]);",
    ),
    "an update of a field of what may be a macro": (
        "struct item { int *x; }; static int v[2] = {5, 7}; static struct item one = {v}; "
        "static struct item *p = &one;\n#define M *p",
        "f(); SHOW(v[0]);",
    ),
}  # fmt: skip
PYTHON_NOT_RUN = {"a template that keeps the expression", "a name of a type"}
"""What only later versions of Python read."""
C_NOT_RUN = {
    "a volatile pointer", "a tie that a device sees", "a number that changes between two reads",
    "an atomic number that changes between two reads", "a tie in memory that may be read only",
}  # fmt: skip
"""What a device, another thread or memory that is read only sees does not show in a run."""

_HALVES = "((java.util.stream.Stream<?>) %s).count()"
JAVA: dict[str, Run] = {
    "J19 update before a continue": ("", "f(1, 1)"),
    "J20 update before a break": ("", "f(-5, 1)"),
    "J21 update in a switch with a continue": ("", "f(1, 1)"),
    "J22 update before a continue in an else": ("", "f(1, 1)"),
    "labelled continue": ("", "f(1, 1)"),
    "labelled break out of a block": ("", "f(1)"),
    "fall-through reads the variable": ("", "f(5, 0)"),
    "J1 a double field in a range": ("double ratio = 0.5;", "ok()"),
    "J2 a double field outside a range": (
        "double ratio = 0.5; int g() { f(); return 1; }", "g()",
    ),
    "J3 an untyped lambda parameter": ("", _HALVES % "f(java.util.List.of(0.5))"),
    "J4 negation with NaN": ("double a = Double.NaN;", "f()"),
    "J6 a tie of zeros": ("double lo = 0.0, hi = -0.0;", "1 / f()"),
    "J5 a field called length": ("class Rod { double length = 0.5; }", "f(new Rod())"),
    "J16 a class of one's own called Vector": (
        "Vector below() { Vector v = new Vector(); v.x = -1; return v; }", "new A().f(below())",
    ),
    "J8 a field of the name of a loop's local": (
        "int[] a = {1}; int i = 5; int g() { reset(1); return i; }", "g()",
    ),
    "J9 a field of the name of a block's local": (
        "int count = 3; void log(int x) {}", "next(0) + next(0)",
    ),
    "J10 a field before a local of its name": (
        "int count; int size() { return count; }", "next(1)",
    ),
    "a double field before an int local of its name": ("double x = 0.5;", "f()"),
    "a lambda parameter of the name of an int field": (
        "", _HALVES % "new A().f(java.util.List.of(0.5))",
    ),
    "a pattern variable of the name of an int field": ("", "new A().f(0.5)"),
    "a record's component of the name of an outer field": ("", "new A.R(0.5).f()"),
    "an inherited field of the name of an outer one": (
        "class Base { double x = 0.5; }", "new A().new B().f()",
    ),
    "two classes with a field of one name": (
        "B half() { B b = new B(); b.x = 0.5; return b; }", "half().f()",
    ),
    "captured by an anonymous class": ("", "f(5).toString()"),
    "J14 the value of a switch rule": ("", "f(1)"),
    "J15 the assigned value of a switch rule": ("", "f(1)"),
    "the value of a switch rule, nested": ("", "f(1)"),
    "a lambda's value": ("", "f().applyAsInt(1)"),
    "the value of an assignment": ("", "f(1)"),
    "J11 a byte counter gets negative": ("", "f(200)"),
    "J12 a short counter gets negative": ("", "f(40000)"),
    "J13 the absolute value of a byte counter": ("", "f(200)"),
    "a sum overflows": ("", "f(70000)"),
    "an int counter under a long bound": ("", "f(3000000000L)"),
    "the absolute value of the smallest number": ("", "f(Integer.MIN_VALUE)"),
    "an operand with a side effect": (
        "int calls; int g() { return calls++ * 0; }", "f(0) + \" \" + calls",
    ),
    "an operand that fails": ("", "f(1, 0)"),
    "a short-circuit that guards": ("", "f(new int[0], 0)"),
    "an update in a short-circuit": ("", "f(1, 1)"),
    "an empty box": ("", "f(null)"),
    "boxes are compared by identity": ("", "f(1000, 1000)"),
    "finally reads": ("int told; void print(int x) { told = x; }", "f(1) + \" \" + told"),
    "a handler reads": ("", "f(5, new int[0])"),
    "a do loop reads in its condition": ("", "f(0, 1)"),
    "the update of a loop reads": ("", "f(2)"),
    "a needed continue": ("", "f(5)"),
    "a labelled continue at the end": ("", "f(2)"),
    "NaN is not equal": ("", "f(Double.NaN)"),
    "zeros of both signs": ("", "1 / f(0.0, -0.0)"),
    "the sign of a shifted number": ("", "f(-2)"),
    "the sign of a remainder": ("", "f(1, 3)"),
    "the bound changes in the loop": ("", "f(5)"),
    "the counter starts above its bound": ("", "f(0)"),
    "a counter in parentheses": ("", "f(1)"),
}  # fmt: skip
