"""Python mutants that an input tells apart, each a trap for a proof: origin, before, after."""

from oracles.datasets.killable_case import Case


def _function(*lines: str, head: str = "def f(a: int, b: int, xs: list):") -> str:
    return "\n    ".join([head, *lines]) + "\n"


_PLUS = "((v := v + 1) - 1)"

KILLABLE: dict[str, Case] = {
    # jumps
    "P15 store before a continue": (
        _function("w = 0", "for i in range(a):", "    w = 1", "    if b > i:", "        continue",
                  "    return 3", "return w"), "w = 1", "w = 2",
    ),
    "P16 update before a break": (
        _function("v = 0", "for i in range(a):", "    if v < i:", "        break", "    v = 9",
                  "return v"), "if v < i", f"if {_PLUS} < i",
    ),
    "an else of a loop reads": (
        _function("v = 0", "for i in range(a):", "    v = 1", "    if i > b:", "        break",
                  "else:", "    return v", "return 0"), "v = 1", "v = 2",
    ),
    "a needed continue": (
        _function("r = 0", "for i in xs:", "    if i:", "        continue", "    r += 1",
                  "return r"), "continue", "pass",
    ),
    "a finally reads": (
        _function("v = 0", "try:", "    v = 1", "    return a", "finally:", "    print(v)"),
        "v = 1", "v = 2",
    ),
    "a handler reads": (
        _function("v = 0", "try:", "    v = 1", "    v = xs[a]", "except IndexError:",
                  "    return v", "return v"), "v = 1", "v = 2",
    ),
    "a suppressed failure": (
        _function("v = 0", "with suppress(Exception):", "    v = 1", "    v = xs[a]", "return v"),
        "v = 1", "v = 2",
    ),
    "a generator shows its state": (
        _function("v = 0", "v = 1", "yield lambda: v", "v = 2"), "v = 1", "v = 3",
    ),
    "a loop without a round": (
        _function("v = 0", "for v in xs:", "    pass", "return v"), "v = 0", "v = 1",
    ),
    "a while that reads": (
        _function("v = 0", "while v < a:", "    v = v + 1", "return b"), "v = 0", "v = -5 + a",
    ),
    # names that are bound in other ways
    "P1 a capture of a match": (
        _function("n = 0", "match xs:", "    case [n]:", "        pass", "return n == 0"),
        "n == 0", "n <= 0",
    ),
    "P2 a capture of a match after a star": (
        _function("n = 0", "match xs:", "    case [_, *n]:", "        pass", "return n"),
        "return n", "return abs(n)",
    ),
    "a capture of a mapping": (
        _function("n = 0", "match xs:", "    case {'k': n}:", "        pass", "return n == 0"),
        "n == 0", "n <= 0",
    ),
    "a capture with as": (
        _function("n = 0", "match a:", "    case -1 | 0 as n:", "        pass", "return n == 0"),
        "n == 0", "n <= 0",
    ),
    "P6 a starred target": (
        _function("n = 0", "a, *n = xs", "return n == 0"), "n == 0", "n <= 0",
    ),
    "P8 an import": (
        _function("n = 0", "import math as n", "return n == 0"), "n == 0", "n <= 0",
    ),
    "an import from": (
        _function("n = 0", "from math import tau as n", "return n > 0 and n < 7"),
        "n > 0 and n < 7", "n > 0 and n <= 6",
    ),
    "a handler's name": (
        _function("n = 0", "try:", "    xs[a]", "except IndexError as n:", "    print(n)",
                  "return n == 0"), "n == 0", "n <= 0",
    ),
    "a with's name": (
        _function("n = 0", "with a as n:", "    pass", "return n == 0"), "n == 0", "n <= 0",
    ),
    "a with's names": (
        _function("n = 0", "with a as (n, *b):", "    pass", "return n == 0"), "n == 0", "n <= 0",
    ),
    "a with's names in brackets": (
        _function("n = 0", "with a as [b, (n)]:", "    pass", "return n == 0"), "n == 0", "n <= 0",
    ),
    "a nested function of the name": (
        _function("n = 0", "def n(): pass", "return n == 0"), "n == 0", "n <= 0",
    ),
    "a class of the name": (
        _function("n = 0", "class n: pass", "return n == 0"), "n == 0", "n <= 0",
    ),
    "deleted": (
        _function("n = 0", "if a:", "    del n", "n = 1", "return n"), "n = 0", "pass",
    ),
    "nonlocal": (
        "def f():\n    n = 0\n    def g():\n        nonlocal n\n        n = 1\n    g()\n"
        "    return n\n", "n = 1", "n = 2",
    ),
    "global": (_function("global n", "n = 1", "return a"), "n = 1", "n = 2"),
    "a name that a store makes local": (
        _function("print(k)", "return a", "k = 1"), "k = 1", "pass",
    ),
    "captured by a lambda": (
        _function("n = 0", "g = lambda: n", "n = 1", "return g"), "n = 1", "n = 2",
    ),
    "captured by a comprehension": (
        _function("n = 0", "g = (n for _ in xs)", "n = 1", "return g"), "n = 1", "n = 2",
    ),
    # lifetimes, frames, overloaded operators
    "P3 the last reference": (
        _function("h = open(a)", "h.write(b)", "h = None", "return reopen(a)"), "h = None", "pass",
    ),
    "P4 a weak reference": (
        _function("h = make()", "r = ref(h)", "h = 0", "return r()"), "h = 0", "pass",
    ),
    "a second reference": (
        _function("h = 0", "h = a", "a = None", "return alive()"), "h = a", "h = 1",
    ),
    "P5 a query reads by name": (
        _function("x = a", "x = 1", "return xs.query('k > @x')"), "x = 1", "x = 2",
    ),
    "P13 a frame": (
        _function("x = 0", "x = 1", "return inspect.currentframe().f_locals"), "x = 1", "x = 2",
    ),
    "a query in a language of its own": (
        _function("x = 0", "x = 1", "return duckdb.sql('select * from x')"), "x = 1", "x = 2",
    ),
    "locals": (_function("x = 0", "x = 1", "return locals ()"), "x = 1", "x = 2"),
    "P7 a truth that is asked": (
        _function("x = 0", "x = a and b", "x = 1", "return x", head="def f(a, b):"),
        "a and b", "a",
    ),
    "a negation that is asked": (
        _function("x = 0", "x = not a", "x = 1", "return x", head="def f(a):"), "not a", "a",
    ),
    "a sum that is asked": (
        _function("x = 0", "x = a + b", "x = 1", "return x", head="def f(a, b):"), "a + b", "a",
    ),
    "a comparison that is asked": (
        _function("x = 0", "x = a < b", "x = 1", "return x", head="def f(a, b):"), "a < b", "a",
    ),
    "an update in place": (
        _function("x = xs", "x += [1]", "return a"), "x += [1]", "pass",
    ),
    "P9 None by default": (
        _function("return n > 0 and n >= 1", head="def f(n: int = None):"), "n > 0 and n >= 1",
        "n > 0 or n >= 1",
    ),
    "P10 a raw f-string": (
        _function("x = 0", 'x = rf"{xs.pop()}"', "x = 1", "return xs"), 'rf"{xs.pop()}"', '""',
    ),
    "an f-string": (
        _function("x = 0", 'x = f"{xs.pop()}"', "x = 1", "return xs"), 'f"{xs.pop()}"', '""',
    ),
    "P11 len is a parameter": (
        _function("return len(xs) == 0", head="def f(len, xs):"), "len(xs) == 0", "len(xs) <= 0",
    ),
    "len is a function of the file": (
        "def len(x):\n    return -1\n\n\ndef f(xs):\n    return len(xs) == 0\n", "len(xs) == 0",
        "len(xs) <= 0",
    ),
    "abs is a parameter": (
        _function("k = 0", "return k", head="def f(abs):"), "return k", "return abs(k)",
    ),
    "range is a parameter": (
        _function("for i in range(3):", "    if i == 0:", "        return 1", "return 2",
                  head="def f(range):"), "i == 0", "i <= 0",
    ),
    "P12 a yield that is not reached": (
        _function("return a", "print(a)"), "print(a)", "yield a",
    ),
    "an await that is not reached": (
        "async def f(a):\n    return a\n    print(a)\n", "print(a)", "yield a",
    ),
    "a capture that is not reached": (
        _function("print(k)", "return a", "print(b)"), "print(b)",
        "match b:\n        case k: pass",
    ),
    "P14 a truth value is a whole number": (
        _function("return v", head="def f(v: int):"), "return v", f"return {_PLUS}",
    ),
    "P14 of two truth values": (
        _function("return v & w", head="def f(v: int, w: int):"), "v & w", f"{_PLUS} & w",
    ),
    "P14 abs is a parameter": (
        _function("return abs(v)", head="def f(v: int, abs):"), "(v)", f"({_PLUS})",
    ),
    "a tie of True and 1": (
        _function("return a if a < b else b"), "a < b", "a <= b",
    ),
    "a tie in an if of True and 1": (
        _function("if a > b:", "    b = a", "return b"), "a > b", "a >= b",
    ),
    "fractions": (
        _function("return v > 2 and v >= 3", head="def f(v):"), "v > 2 and v >= 3", "v > 2",
    ),
    "the sign of a remainder": (_function("return a % b"), "% b", "% -b"),
    "a loop over what is written": (
        _function("for i in range(3):", "    i = a", "    if i == 0:", "        return 1",
                  "return 2"), "i == 0", "i <= 0",
    ),
    "a range that falls": (
        _function("for i in range(3, a, -1):", "    if i == 0:", "        return 1", "return 2"),
        "i == 0", "i <= 0",
    ),
    "a text that shows the expression": (
        _function("for i in range(a):", "    print(f'{i=}')"), "{i=}", "{abs(i)=}",
    ),
    "a text that shows a comparison": (
        _function("return f'{len(xs) >= 1 = }'"), "len(xs) >= 1", "len(xs) > 0",
    ),
    "a text that shows a comparison to a nested format": (
        _function("return f'{a:{len(xs) >= 1=}}'"), "len(xs) >= 1", "len(xs) > 0",
    ),
    "a template that keeps the expression": (
        _function("return t'{len(xs) >= 1}'"), "len(xs) >= 1", "len(xs) > 0",
    ),
    "a name of a type": (
        _function("n = 0", "type n = int", "return n == 0"), "n == 0", "n <= 0",
    ),
}  # fmt: skip
