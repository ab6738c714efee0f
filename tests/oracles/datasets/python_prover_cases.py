"""Python mutants for the prover: some that are equivalent, some that only look so.

A killable case has a witness: arguments, in a module with the prelude, that tell origin and mutant
apart.
"""
# ruff: noqa: E501

PRELUDE = '''
log = []
class Loud:
    """Tells of every use."""
    def __init__(self, name="x", value=1): self.name, self.value = name, value
    def __bool__(self): log.append(("bool", self.name)); return bool(self.value)
    def __len__(self): log.append(("len", self.name)); return self.value
    def __lt__(self, other): log.append(("lt", self.name)); return "less"
    def __gt__(self, other): log.append(("gt", self.name)); return False
    def __ge__(self, other): log.append(("ge", self.name)); return True
    def __le__(self, other): log.append(("le", self.name)); return False
    def __eq__(self, other): log.append(("eq", self.name)); return False
    def __hash__(self): log.append(("hash", self.name)); return 1
    def __add__(self, other): log.append(("add", self.name)); return self
    def __radd__(self, other): log.append(("radd", self.name)); return self
    def __sub__(self, other): log.append(("sub", self.name)); return self
    def __abs__(self): log.append(("abs", self.name)); return self
    def __iadd__(self, other): log.append(("iadd", self.name)); return self
    def __getitem__(self, key): log.append(("get", self.name, key)); return key
    def __repr__(self): return f"Loud({self.name})"
class Dies:
    """Tells of its end."""
    def __del__(self): log.append("died")
    def __repr__(self): return "Dies()"
class Manager:
    def __enter__(self): log.append("enter"); return 5
    def __exit__(self, *error): log.append("exit"); return True
def tell(*what): log.append(what); return what[0] if what else None
def fail(*what): raise ValueError(*what)
class Odd(Exception): pass
def odd(*what): raise Odd(*what)
big = 10**20
count = 0
nan = float("nan")
'''

KILLABLE: dict[str, tuple[str, str, str, str]] = {
    "a loop that never comes back or breaks": ("def f(x: int, a: int):\n    n = 0\n    while x > 0:\n        n = n + 1\n        if a > n:\n            return 1\n        else:\n            break\n    if n >= 0:\n        return 5\n    return 6\n", "n >= 0", "n == 0", "(1, 0)"),
    # operators of other types
    "comparison of objects": ("def f(x):\n    return x > 0\n", "x > 0", "x >= 1", "(0.5,)"),
    "negated comparison of objects": ("def f(x):\n    if x > 0:\n        return 1\n    return 2\n", "x > 0", "not x <= 0", "(nan,)"),
    "an operand is asked": ("def f(x):\n    if x + 0:\n        return 1\n    return 2\n", "x + 0", "x", "(Loud(),)"),
    "abs of an object": ("def f(x):\n    return x\n", "return x", "return abs(x)", "(Loud(),)"),
    "in place is not the sum": ("def f(x, y):\n    x += y\n    return x\n", "x += y", "x = x + y", "([1], (2,))"),
    "list grows in place": ("def f(x, y):\n    z = x\n    x += y\n    return z\n", "x += y", "x = x + y", "([1], [2])"),
    "order of operands": ("def f(x, y):\n    return x + y\n", "x + y", "y + x", "('a', 'b')"),
    "order of list operands": ("def f(x: list[int], y: list[int]):\n    return x + y\n", "x + y", "y + x", "([1], [2])"),
    "truth is asked": ("def f(a, b):\n    return a and b\n", "a and b", "b if a else a", "(Loud('a', 0), 1)"),
    "and is no nested if": ("def f(a):\n    return a and a\n", "a and a", "a", "(Loud('a'),)"),
    "or gives an operand": ("def f(a: int, b: int):\n    return a or b\n", "a or b", "bool(a or b)", "(2, 3)"),
    "and gives an operand": ("def f(a: int, b: int):\n    return a and b\n", "a and b", "a != 0 and b != 0", "(2, 3)"),
    "not gives a truth": ("def f(a: int):\n    return a\n", "return a", "return not not a", "(2,)"),
    "chained comparison": ("def f(a, b, c):\n    return a < b < c\n", "a < b < c", "a < b and b < c and True", "(Loud('a'), Loud('b'), 3)"),
    "chain reads once": ("def f(a):\n    return 0 < tell(a) < 9\n", "0 < tell(a) < 9", "0 < tell(a) and tell(a) < 9", "(3,)"),
    "chain reads a global once": ("class Bumps(int):\n    def __lt__(self, other):\n        global count\n        count = 9\n        return True\ndef f(x):\n    if x < count < 5:\n        return 1\n    return 2\n", "x < count < 5", "x < count and count < 5", "(Bumps(1),)"),
    "sum of truths": ("def f(a: list[bool]):\n    return sum(a) is True\n", "sum(a) is True", "sum(a) == True", "([True],)"),
    "chain is no comparison of a truth": ("def f(a: int, b: int, c: int):\n    return a < b < c\n", "a < b < c", "(a < b) < c", "(3, 2, 1)"),
    # numbers
    "true is no 1": ("def f(a: int):\n    x = 1\n    return x\n", "x = 1", "x = True", "(0,)"),
    "1.0 is no 1": ("def f(a: int):\n    return 1\n", "return 1", "return 1.0", "(0,)"),
    "sum of a truth": ("def f(a: bool):\n    return a\n", "return a", "return a + 0", "(True,)"),
    "absolute truth": ("def f(a: bool):\n    return a\n", "return a", "return abs(a)", "(True,)"),
    "bitwise truth": ("def f(a: bool, b: bool):\n    return a & b\n", "a & b", "a * b", "(True, True)"),
    "floor division rounds down": ("def f(a: int):\n    return a // 2\n", "a // 2", "int(a / 2)", "(-3,)"),
    "negated divisor": ("def f(a: int):\n    return a // 2\n", "a // 2", "-(a // -2)", "(3,)"),
    "remainder has the sign of the divisor": ("def f(a: int):\n    return a % 3\n", "a % 3", "a % -3", "(4,)"),
    "remainder of a negative": ("def f(a: int):\n    if a % 2 == 1:\n        return 1\n    return 0\n", "a % 2 == 1", "a % 2 > 1", "(-1,)"),
    "division gives a float": ("def f(a: int):\n    return a * 2 // 2\n", "a * 2 // 2", "a * 2 / 2", "(4,)"),
    "division by zero": ("def f(a: int, b: int):\n    return 0\n", "return 0", "return 0 * (a // b)", "(1, 0)"),
    "power may be a float": ("def f(a: int, b: int):\n    return a ** b >= 0\n", "a ** b >= 0", "True", "(-2, 1)"),
    "negative shift": ("def f(a: int, b: int):\n    a << b\n    return a\n", "a << b", "a", "(1, -1)"),
    "invert is no minus": ("def f(a: int):\n    return ~a\n", "~a", "-a", "(1,)"),
    "large integers are exact": ("def f(a: int):\n    return a + 1 > a\n", "a + 1 > a", "a + 1.0 > a", "(2**60,)"),
    "float admits integers": ("def f(a: float):\n    return a\n", "return a", "return a * 1.0", "(3,)"),
    "nan comparison": ("def f(a: float, b: float):\n    return a < b\n", "a < b", "not (a >= b)", "(nan, 1.0)"),
    "nan itself": ("def f(a: float):\n    return a == a\n", "a == a", "True", "(nan,)"),
    "nan and max": ("def f(a: float, b: float):\n    return max(a, b)\n", "max(a, b)", "max(b, a)", "(nan, 1.0)"),
    "max of equals is the first": ("def f(a: int, b: bool):\n    return max(a, b)\n", "max(a, b)", "max(b, a)", "(1, True)"),
    "negative zero": ("def f(a: float, b: float):\n    return a if a < b else b\n", "a < b", "a <= b", "(0.0, -0.0)"),
    "zero plus": ("def f(a: float):\n    return a\n", "return a", "return a + 0.0", "(-0.0,)"),
    "association": ("def f(a: float, b: float, c: float):\n    return (a + b) + c\n", "(a + b) + c", "a + (b + c)", "(0.1, 0.2, 0.3)"),
    "small step of a float": ("def f(a: float):\n    if a > 0:\n        return 1\n    return 2\n", "a > 0", "a >= 1", "(0.5,)"),
    "optional by default": ("def f(n: int = None):\n    return n == 0\n", "n == 0", "n * 1 == 0", "(None,)"),
    "optional by annotation": ("def f(n: int | None):\n    if n:\n        return 1\n    return 2\n", "if n:", "if n != 0:", "(None,)"),
    # names
    "len is a parameter": ("def f(len, x):\n    if len(x) < 0:\n        return 1\n    return 2\n", "len(x) < 0", "False", "(lambda x: -1, [])"),
    "len is a global": ("len = lambda x: -1\ndef f(x):\n    if len(x) < 0:\n        return 1\n    return 2\n", "len(x) < 0", "False", "([],)"),
    "abs is defined here": ("def f(n: int):\n    def abs(x):\n        return x\n    return abs(n) >= 0\n", "abs(n) >= 0", "True", "(-1,)"),
    "len of an object": ("def f(x):\n    if len(x) >= 0:\n        return 1\n    return 2\n", "len(x) >= 0", "True", "(5,)"),
    "global is written": ("def f(n: int):\n    global count\n    count = n\n    return 0\n", "count = n", "pass", "(7,)"),
    "global is read": ("def f(g):\n    x = count\n    g()\n    return count\n", "return count", "return x", "(lambda: globals().update(count=5),)"),
    "unbound local": ("def f(n: int):\n    if n > 0:\n        x = 1\n    return x\n", "n > 0", "True", "(0,)"),
    "assignment removed": ("def f(n: int):\n    x = n\n    if n > 5:\n        return x\n    return 0\n", "x = n", "pass", "(6,)"),
    "deleted": ("def f(n: int):\n    x = n\n    if n > 0:\n        del x\n    return x\n", "n > 0", "False", "(1,)"),
    "exception name is deleted": ("def f(n: int):\n    e = 1\n    try:\n        fail(n)\n    except ValueError as e:\n        pass\n    return e\n", "return e", "return 1", "(1,)"),
    "loop variable stays unset": ("def f(n: int):\n    for i in range(n):\n        pass\n    return i\n", "range(n)", "range(max(n, 1))", "(0,)"),
    # captured variables
    "captured by a lambda": ("def f(n: int):\n    g = lambda: n\n    n = n + 1\n    return g()\n", "n = n + 1", "pass", "(1,)"),
    "captured by a function": ("def f(n: int):\n    x = 0\n    def g():\n        return x\n    x = n\n    return g()\n", "x = n", "pass", "(1,)"),
    "nonlocal": ("def f(n: int):\n    x = 0\n    def g():\n        nonlocal x\n        x = 5\n    g()\n    return x\n", "return x", "return 0", "(1,)"),
    "generator reads late": ("def f(n: int):\n    x = 1\n    g = (x for _ in range(2))\n    x = n\n    return list(g)\n", "x = n", "pass", "(5,)"),
    "locals are read": ("def f(n: int):\n    x = n\n    return locals()\n", "x = n", "x = 0", "(1,)"),
    "eval reads locals": ("def f(n: int):\n    x = n\n    return eval('x')\n", "x = n", "x = 0", "(1,)"),
    # calls and their order
    "call dropped": ("def f(n: int):\n    tell(n)\n    return n\n", "tell(n)", "n", "(1,)"),
    "order of two calls": ("def f():\n    return tell(1) + tell(2)\n", "tell(1) + tell(2)", "tell(2) + tell(1)", "()"),
    "argument changed": ("def f(n: int):\n    return tell(n, 0)\n", "tell(n, 0)", "tell(n, 0.0)", "(1,)"),
    "import inside": ("def f(n: int):\n    import math\n    return math.gcd(n, 4)\n", "import math", "math = None", "(6,)"),
    "import hides a builtin": ("def f(n: int):\n    from operator import neg as abs\n    return abs(n) >= 0\n", "abs(n) >= 0", "True", "(1,)"),
    "method found before arguments": ("def f(x, n: int):\n    x.go(1 // n)\n    return 0\n", "x.go(1 // n)", "y = 1 // n\n    x.go(y)", "(3, 0)"),
    "short circuit guards": ("def f(n: int):\n    return n != 0 and 1 // n > 0\n", "n != 0 and 1 // n > 0", "1 // n > 0 and n != 0", "(0,)"),
    "short circuit with a call": ("def f(n: int):\n    return n > 0 or tell(n) == 0\n", "n > 0 or tell(n) == 0", "tell(n) == 0 or n > 0", "(1,)"),
    "message of an exception": ("def f(n: int):\n    if n < 0:\n        raise ValueError(n)\n    return n\n", "ValueError(n)", "ValueError(-n)", "(-1,)"),
    "assertion removed": ("def f(n: int):\n    assert n > 0\n    return n\n", "assert n > 0", "pass", "(0,)"),
    "default argument": ("def f(n: int = 1):\n    return n\n", "= 1", "= 2", "()"),
    "mutable default": ("def f(n: int, seen=[]):\n    seen.append(n)\n    return len(seen)\n", "seen.append(n)", "seen = seen + [n]", "(1, [])"),
    "attribute written": ("def f(x, n: int):\n    x.name = n\n    return 0\n", "x.name = n", "x.name = 0", "(Loud(), 3)"),
    # lists
    "two names of one list": ("def f(a: list[int], b: list[int]):\n    a[0] = 1\n    b[0] = 2\n    return a[0]\n", "return a[0]", "return 1", "(lambda x: (x, x))([0])"),
    "two indices": ("def f(a: list[int], i: int, j: int):\n    a[i] = 1\n    a[j] = 2\n    return a[i]\n", "return a[i]", "return 1", "([0], 0, 0)"),
    "negative index is another name": ("def f(a: list[int]):\n    a[0] = 1\n    a[-1] = 2\n    return a[0]\n", "return a[0]", "return 1", "([0],)"),
    "negative index": ("def f(a: list[int], i: int):\n    return a[i]\n", "a[i]", "a[abs(i)]", "([1, 2, 3], -1)"),
    "list across a call": ("def f(a: list[int], g):\n    a[0] = 1\n    g(a)\n    return a[0]\n", "return a[0]", "return 1", "([0], lambda a: a.append(a.pop() + 1))"),
    "bounds check removed": ("def f(a: list[int], i: int):\n    if i < len(a):\n        return a[i]\n    return 0\n", "i < len(a)", "i <= len(a)", "([1], 1)"),
    "slice copies": ("def f(a: list[int]):\n    b = a[:]\n    b.append(1)\n    return len(a)\n", "a[:]", "a", "([],)"),
    "slice bounds are cut": ("def f(a: list[int]):\n    return a[0:5]\n", "a[0:5]", "a[0:6]", "([1, 2, 3, 4, 5, 6],)"),
    "negative slice": ("def f(a: list[int], n: int):\n    return a[n:]\n", "a[n:]", "a[max(n, 0):]", "([1, 2], -1)"),
    "list grows while it is gone through": ("def f(a: list[int]):\n    n = 0\n    for x in a:\n        n += 1\n        if n < 3:\n            a.append(x)\n    return n\n", "n < 3", "n < 2", "([1],)"),
    "element is an object": ("def f(a: list):\n    if a[0] > 0:\n        return 1\n    return 0\n", "a[0] > 0", "not a[0] <= 0", "([nan],)"),
    "elements that were replaced": ("def f(a: list[int]):\n    a[0] = None\n    return a[0] == 0\n", "a[0] = None", "a[0] = 0", "([1],)"),
    "empty list": ("def f(a: list[int]):\n    if not a:\n        return 0\n    return a[0]\n", "if not a:", "if False:", "([],)"),
    "equal lists are not one": ("def f(a: list[int], b: list[int]):\n    return a == b\n", "a == b", "a is b", "([1], [1])"),
    # steps and loops
    "negative step": ("def f(n: int):\n    s = 0\n    for i in range(n, 0, -1):\n        s += i\n    return s\n", "range(n, 0, -1)", "range(n, 1, -1)", "(3,)"),
    "step zero": ("def f(n: int, k: int):\n    for i in range(0, n, k):\n        pass\n    return 0\n", "range(0, n, k)", "range(0, n, 1)", "(3, 0)"),
    "range of an object": ("def f(n):\n    s = 0\n    for i in range(n):\n        s += 1\n    return s\n", "range(n)", "range(n + 0)", "(True if False else type('I', (), {'__index__': lambda self: 2})(),)"),
    "break skips else": ("def f(n: int):\n    for i in range(3):\n        if i == n:\n            break\n    else:\n        return 1\n    return 2\n", "break", "pass", "(1,)"),
    "counter behind the loop": ("def f(n: int):\n    i = 0\n    while i < n:\n        i += 2\n    return i\n", "return i", "return max(n, 0)", "(3,)"),
    "endless": ("def f(n: int):\n    k = 0\n    while n > 0 and k < 50:\n        n -= 1\n        k += 1\n    return k\n", "n -= 1", "pass", "(2,)"),
    "first iteration": ("def f(a: list[int]):\n    best = 0\n    for x in a:\n        if x > best:\n            best = x\n    return best\n", "best = 0", "best = 1", "([],)"),
    # try, with, generators
    "finally runs": ("def f(n: int):\n    r = n\n    try:\n        fail(n)\n    finally:\n        tell(r)\n    return 1\n", "r = n", "r = n + 1", "(1,)"),
    "return in finally": ("def f(n: int):\n    try:\n        return n\n    finally:\n        tell(n)\n", "tell(n)", "pass", "(1,)"),
    "caught": ("def f(a: list[int], i: int):\n    r = 0\n    try:\n        r = 1\n        r = a[i]\n    except IndexError:\n        return r\n    return r\n", "r = 1", "r = 2", "([], 0)"),
    "else of try is not guarded": ("def f(n: int):\n    try:\n        pass\n    except ValueError:\n        return 1\n    else:\n        fail(n)\n    return 2\n", "        pass\n    except ValueError:\n        return 1\n    else:\n        fail(n)", "        fail(n)\n    except ValueError:\n        return 1", "(1,)"),
    "exception class": ("def f(a: list[int]):\n    try:\n        return a[0]\n    except IndexError:\n        return 0\n", "IndexError", "KeyError", "([],)"),
    "raised again": ("def f(a: list[int], i: int):\n    try:\n        return a[i]\n    except (IndexError, ZeroDivisionError):\n        raise\n", "a[i]", "a[i] if i < len(a) else 1 // 0", "([], 3)"),
    "handler asks which exception": ("import traceback\ndef f(a: list[int], i: int):\n    try:\n        return a[i]\n    except (IndexError, ZeroDivisionError):\n        return traceback.format_exc()[-20:]\n", "a[i]", "a[i] if i < len(a) else 1 // 0", "([], 3)"),
    "return in finally swallows": ("def f(n: int):\n    try:\n        fail(n)\n    finally:\n        return n\n", "return n", "tell(n)", "(1,)"),
    "with swallows": ("def f(n: int):\n    with Manager() as m:\n        fail(n)\n        tell(n)\n    return 1\n", "fail(n)", "pass", "(1,)"),
    "with leaves": ("def f(n: int):\n    with Manager() as m:\n        return n\n    return 1\n", "with Manager() as m:", "if True:", "(1,)"),
    "yield makes a generator": ("def f(n: int):\n    return n\n    yield n\n", "yield n", "pass", "(1,)"),
    "yielded value": ("def f(n: int):\n    x = n\n    yield x\n    x = 2\n    yield x\n", "x = 2", "x = 3", "(1,)"),
    "state between yields": ("def f(a: list[int]):\n    yield len(a)\n    a.append(1)\n    yield len(a)\n", "a.append(1)", "pass", "([],)"),
    # objects and their end
    "last reference dropped": ("def f(n: int):\n    h = Dies()\n    h = None\n    tell(n)\n    return n\n", "h = None", "pass", "(1,)"),
    "reference kept": ("def f(n: int):\n    h = Dies()\n    k = 0\n    h = None\n    tell(n)\n    return n\n", "k = 0", "k = h", "(1,)"),
    "identity of none": ("def f(x):\n    return x is None\n", "x is None", "x == None", "(Loud(),)"),
    "identity of a number": ("def f(n: int):\n    x = n\n    return x is n\n", "x = n", "x = n + 1 - 1", "(10**30,)"),
    "identity of a truth": ("def f(n: int):\n    return n is True\n", "n is True", "n == True", "(1,)"),
    # strings
    "find from the end": ("def f(s: str):\n    return s.find('a')\n", "find", "rfind", "('aba',)"),
    "find nothing": ("def f(s: str):\n    return s.find('a') > -1\n", "> -1", "> 0", "('a',)"),
    "count of the empty string": ("def f(s: str):\n    return s.count('') <= len(s)\n", "s.count('') <= len(s)", "True", "('a',)"),
    "upper is longer": ("def f(s: str):\n    return len(s.upper()) == len(s)\n", "len(s.upper()) == len(s)", "True", "('\\u00df',)"),
    "order of strings": ("def f(s: str):\n    return 'a' <= s\n", "'a' <= s", "'a' < s", "('a',)"),
    "order of longer strings": ("def f(s: str):\n    return s < 'b'\n", "s < 'b'", "s <= 'a'", "('aa',)"),
    "character has an order": ("def f(s: str):\n    return s > 'A'\n", "s > 'A'", "len(s) > 0", "('A',)"),
    "slice of a string": ("def f(s: str):\n    return s[1:]\n", "s[1:]", "s[2:]", "('abc',)"),
    "reversed string": ("def f(s: str):\n    return s[::-1]\n", "s[::-1]", "s[::1]", "('ab',)"),
    "format": ("def f(n: int):\n    return f'{n}'\n", "{n}", "{n:d}", "(True,)"),
    "formatted object": ("def f(x):\n    f'{x}'\n    return 1\n", "f'{x}'", "pass", "(type('F', (), {'__format__': lambda self, spec: log.append('formatted') or ''})(),)"),
    "ord of many": ("def f(s: str):\n    return ord(s) >= 0\n", "ord(s) >= 0", "True", "('ab',)"),
    "key is missing": ("def f(d: dict[str, int]):\n    return d.get('a', 0)\n", "d.get('a', 0)", "d['a']", "({},)"),
    "dict value": ("def f(d: dict[str, int]):\n    d['a'] = 1\n    d['b'] = 2\n    return d['a']\n", "d['b'] = 2", "d['a'] = 2", "({},)"),
}  # fmt: skip

EQUIVALENT: dict[str, tuple[str, str, str]] = {
    "a loop that never comes back": ("def f(x: int, a: int):\n    n = 0\n    while x > 0:\n        n = n + 1\n        if a > n:\n            return 1\n        else:\n            return 2\n    if n >= 0:\n        return 5\n    return 6\n", "n >= 0", "n == 0"),
    "len is not negative": ("def f(x):\n    if len(x) <= 0:\n        return 1\n    return 2\n", "len(x) <= 0", "len(x) == 0"),
    "absolute counter": ("def f(a: list[int]):\n    s = 0\n    for i in range(len(a)):\n        s += a[i]\n    return s\n", "a[i]", "a[abs(i)]"),
    "remainder is not negative": ("def f(n: int):\n    k = n % 7\n    if k < 0:\n        k += 7\n    return k\n", "k < 0", "False"),
    "clamp": ("def f(n: int):\n    if n < 0:\n        n = 0\n    return n\n", "n < 0", "n <= 0"),
    "tie of max": ("def f(a: list[int]):\n    best = 0\n    for x in a:\n        if x > best:\n            best = x\n    return best\n", "x > best", "x >= best"),
    "unneeded update": ("def f(n: int):\n    return n\n", "return n", "return ((n := n + 1) - 1)"),
    "range of a counter": ("def f(n: int):\n    s = 0\n    for i in range(n):\n        if i < n:\n            s += 1\n    return s\n", "i < n", "True"),
    "exhausted": ("def f(n: int):\n    i = 0\n    while i < n:\n        i += 1\n    return i\n", "i < n", "not i >= n"),
    "find": ("def f(s: str):\n    return s.find('a') < 0\n", "< 0", "== -1"),
    "count": ("def f(s: str):\n    return s.count('a') == 0\n", "== 0", "<= 0"),
    "ord": ("def f(s: str):\n    for c in s:\n        if ord(c) < 0:\n            return 1\n    return 0\n", "ord(c) < 0", "False"),
    "unbounded": ("def f(n: int):\n    return n + 1 > n\n", "n + 1 > n", "True"),
    "not less": ("def f(a: int, b: int):\n    return not a < b\n", "not a < b", "a >= b"),
    "early return": ("def f(a: list[int]):\n    if len(a) == 0:\n        return 0\n    n = 0\n    for x in a:\n        n += 1\n    return n\n", "len(a) == 0", "False"),
    "unused none": ("def f(n: int):\n    k = n % 3\n    if k < 0:\n        k = 0\n    return k\n", "k = 0", "k = None"),
    "string is empty": ("def f(s: str):\n    if s == '':\n        return 1\n    return 2\n", "s == ''", "len(s) == 0"),
    "not empty": ("def f(s: str):\n    if s:\n        return 1\n    return 2\n", "if s:", "if s != '':"),
    "floor of a shift": ("def f(n: int):\n    return n >> 1\n", "n >> 1", "n // 2"),
    "mask": ("def f(n: int):\n    return n & 7\n", "n & 7", "n % 8"),
    "behind a check": ("def f(n: int):\n    if n == 1:\n        return 5\n    if n >= 1:\n        return 6\n    return 7\n", "n >= 1", "n > 1"),
    "same element": ("def f(d):\n    if len(d) == 1:\n        return 1\n    return 2\n", "len(d) == 1", "1 == len(d)"),
    "enumerate": ("def f(s: str):\n    for i, c in enumerate(s):\n        if i < 0:\n            return c\n    return ''\n", "i < 0", "i <= -1"),
    "truth of a comparison": ("def f(n: int):\n    if (n > 0) == True:\n        return 1\n    return 2\n", "(n > 0) == True", "n > 0"),
    "order of characters": ("def f(s: str):\n    return 'a' <= s\n", "'a' <= s", "not s < 'a'"),
    "shadowed value": ("def f(n: int):\n    start, end = 0, 0\n    start = n\n    end = start\n    return end\n", "0, 0", "1, 2"),
    "one element": ("def f(a: list[int]):\n    if len(a) == 1:\n        return a[0]\n    return 0\n", "a[0]", "a[-1]"),
    "generator": ("def f(a: list[int]):\n    for i in range(len(a)):\n        yield a[i]\n", "a[i]", "a[abs(i)]"),
    "try": ("def f(a: list[int], i: int):\n    try:\n        return a[i % 3]\n    except IndexError:\n        return 0\n", "a[i % 3]", "a[abs(i % 3)]"),
    "behind an import": ("def f(s: str):\n    import math\n    return math.floor(len(s))\n", "len(s)", "abs(len(s))"),
    "min of more": ("def f(n: int):\n    return min(max(n, 0), 9)\n", "max(n, 0)", "max(n, 0, 0)"),
    "nested": ("def f(rows: list[list[int]]):\n    s = 0\n    for row in rows:\n        for x in row:\n            if x > 0:\n                s += x\n    return s\n", "x > 0", "x >= 0"),
}  # fmt: skip
