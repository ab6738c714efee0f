"""Mutants that a rule proves equivalent, and files around them in which they are not.

Each: the language, the origin, a piece of it, what the mutant has in its place, and files around
the origin (`{}`) with what may be believed there.
"""

_RANGE = "def f(n):\n    for i in range(n):\n        g(i)\n"
_LEN = "def f(xs):\n    return len(xs) >= 1\n"
_HINT = "def f(n: int):\n    return n == 0\n"
_LOOKED = "def f(look):\n    x = 1\n    look(here())\n"
_JAVA = "int f(int n) {\n  for (int i = 0; i < n; i++) { g(i); }\n  return n;\n}"
_SIZE = "boolean f(List<String> xs) { return xs.size() == 0; }"
_C = "int f(char *s) {\n  return strlen(s) >= 1;\n}\n"
_COUNTED = 'void f(int n) {\n  for (int i = 0; i < n; i++) { printf("%d", i); }\n}\n'

Case = tuple[str, str, str, str, tuple[str, ...], tuple[str, ...]]
CASES: dict[str, Case] = {
    "abs of a counter": (
        "python", _RANGE, "g(i)", "g(abs(i))",
        ("import math\n\n{}", "from numpy import array\n\n{}\n\nx = abs(3)\n"),
        ("from numpy import *\n\n{}", "def abs(x):\n    return -x\n\n\n{}", "abs = g\n\n{}",
         "from numpy import abs\n\n{}", "{}\n\ndef range(n):\n    return [-1]\n",
         "from numpy import (\n    array, absolute as abs)\n\n{}", "for abs in xs:\n    pass\n{}"),
    ),
    "a length": (
        "python", _LEN, "len(xs) >= 1", "len(xs) > 0",
        ("{}\n\nprint(len([]))\n", "{}\n\nmax(xs, key=len)\n"),
        ("from a import *\n{}", "import len\n{}", "try:\n    len = a\nfinally:\n    b()\n{}",
         "with a as len:\n    pass\n{}", "ｌｅｎ = g\n{}", "print 'another Python'\nlen = g\n{}"),
    ),
    "an annotation": (
        "python", _HINT, "n == 0", "-n == 0",
        ("x: int = 3\n{}",),
        ("class int(float):\n    pass\n\n\n{}", "from a import int\n{}", "int = float\n{}",
         "from a import *\n{}"),
    ),
    "a local that is looked at": (
        "python", _LOOKED, "x = 1", "x = 2",
        ("from a import here\n{}", "import inspect\nfrom a import here\n{}"),
        ("from inspect import currentframe as here\n{}", "from builtins import locals as here\n{}",
         "def up(name):\n    return here(1).f_locals[name]\n\n\n{}"),
    ),
    "Math.abs": (
        "java", _JAVA, "g(i)", "g(Math.abs(i))",
        ("class A {{ {} }}", "import java.util.*; class A {{ {} }}"),
        ("class A {{ {} static class Math {{ static int abs(int a) {{ return 7; }} }} }}",
         "class A {{ {} }} class Math {{ static int abs(int a) {{ return 7; }} }}",
         "import a.b.Math; class A {{ {} }}", "class A {{ M Math; {} }}"),
    ),
    "abs of nobody": (
        "java", _JAVA, "g(i)", "g(abs(i))",
        (), ("class A {{ {} int abs(int a) {{ return 7; }} }}", "class A extends B {{ {} }}"),
    ),
    "sizes": (
        "java", _SIZE, "xs.size() == 0", "xs.size() <= 0",
        ("import java.util.List; class A {{ {} }}", "import java.util.*; class A {{ {} }}",
         "package java.util; class A {{ {} }}"),
        ("class A {{ {} }}", "import a.List; class A {{ {} }}",
         "import java.util.*; import a.List; class A {{ {} }}",
         "/* import java.util.List; */ import a.*; class A {{ {} }}",
         "import java.util.*; class A {{ {} class List<T> {{ int size() {{ return -1; }} }} }}",
         "import java.util.*; class A<List extends B> {{ {} }}"),
    ),
    "strlen": (
        "c", _C, "strlen(s) >= 1", "strlen(s) > 0",
        ("#include <string.h>\n#define N 3\n{}",),
        ("#define strlen(s) width(s)\n{}", "static double strlen(char *s) {{ return 0.5; }}\n{}",
         "double strlen();\n{}", "#define int double\n{}", "#  undef strlen\n{}"),
    ),
    "a counter": (
        "c", _COUNTED, "i++", "++i",
        ("#include <stdio.h>\n{}",),
        ("#define printf(a, b) (b)\n{}",),
    ),
}  # fmt: skip
