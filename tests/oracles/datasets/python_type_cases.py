"""Python mutants whose proofs need types that no annotation tells, in their file.

Entries are those of `python_real_cases`.
"""
# ruff: noqa: E501

EQUIVALENT = {
    "a string that isinstance let through": ("", "def f(x):\n    if isinstance(x, str):\n        return x.find('a') >= 0\n    return 1\n", ">= 0", "> -1"),
    "a string behind an early return": ("", "def f(x):\n    if not isinstance(x, str):\n        return 1\n    return x.find('a') >= 0\n", ">= 0", "> -1"),
    "an integer in the same condition": ("", "def f(x):\n    if isinstance(x, int) and x > 0:\n        return x\n    return 1\n", "> 0", ">= 1"),
    "a string in a loop": ("", "def f(xs):\n    n = 0\n    for x in xs:\n        if not isinstance(x, str):\n            continue\n        if x.find('a') >= 0:\n            n += 1\n    return n\n", ">= 0", "> -1"),
    "strings by either way": ("", "def f(x, y):\n    if y:\n        assert isinstance(x, str)\n    else:\n        if not isinstance(x, str):\n            return 2\n    return x.find('a') >= 0\n", ">= 0", "> -1"),
    "a list of one": ("", "def f(x):\n    if isinstance(x, list) and len(x) == 1:\n        return x[0]\n    return 1\n", "x[0]", "x[-1]"),
    "a sorted list is a list": ("", "def f(x):\n    xs = sorted(x, key=tell)\n    if len(xs) == 1:\n        return xs[0]\n    return 0\n", "xs[0]", "xs[-1]"),
    "strings that are joined are a string": ("", "def f(x):\n    s = ','.join(x)\n    return s.find(x) >= 0\n", ">= 0", "> -1"),
    "a string that is formatted by keyword": ("", "def f(x):\n    return '{a}'.format(a=x).rfind('a') < 0\n", "< 0", "== -1"),
    "int answers an integer": ("", "def f(x):\n    n = int(x)\n    if n < 0:\n        n = 0\n    return n\n", "< 0", "<= 0"),
    "in answers a boolean": ("", "def f(x, y):\n    found = x in y\n    return True if found else False\n", "True if found else False", "found"),
    "enumerate from 1": ("", "def f(x):\n    for i, y in enumerate(x, 1):\n        if i > 0:\n            tell(y)\n", "i > 0", "i >= 1"),
    "a range from 0 in a comprehension": ("", "def f(n):\n    return [tell(i) for i in range(0, n)]\n", "0, n", "n"),
}  # fmt: skip

_SUBCLASS = "type('S', (str,), {'find': lambda *a: -0.5})"
KILLABLE = {
    "bytes or a string": ("", "def f(x):\n    if isinstance(x, (str, bytes)) and x:\n        return len(x[0])\n    return 1\n", "len(x[0])", "1", "(b'ab',)"),
    "a string or another": ("", "def f(x, y):\n    if isinstance(x, str) or isinstance(y, str):\n        return x > 0\n    return 1\n", "> 0", ">= 1", "(0.5, 'a')"),
    "a string or anything": ("", "def f(x):\n    if isinstance(x, int) or x:\n        return x > 0\n    return 1\n", "> 0", ">= 1", "(0.5,)"),
    "no string": ("", "def f(x):\n    if not isinstance(x, int):\n        return x > 0\n    return 1\n", "> 0", ">= 1", "(0.5,)"),
    "behind the branch": ("", "def f(x):\n    if isinstance(x, int):\n        tell(x)\n    return x > 0\n", "> 0", ">= 1", "(0.5,)"),
    "another value by then": ("", "def f(x, y):\n    if isinstance(x, int):\n        x = y\n        return x > 0\n    return 1\n", "> 0", ">= 1", "(1, 0.5)"),
    "another value in a loop": ("", "def f(x, ys):\n    if isinstance(x, int):\n        for y in ys:\n            tell(x > 0)\n            x = y\n", "> 0", ">= 1", "(1, [0.5, 1])"),
    "the value of the iteration before": ("", "def f(xs):\n    seen = False\n    for x in xs:\n        if seen:\n            tell(x > 0)\n        if isinstance(x, int):\n            seen = True\n", "> 0", ">= 1", "([1, 0.5],)"),
    "True is an integer": ("", "def f(x):\n    if isinstance(x, int):\n        return x + 0\n    return 1\n", "x + 0", "x", "(True,)"),
    "an integer or a fraction": ("", "def f(x):\n    if isinstance(x, (int, float)) and x > 0:\n        return x\n    return 1\n", "> 0", ">= 1", "(0.5,)"),
    "not a number is a fraction": ("", "def f(x):\n    if isinstance(x, float) and x >= 0:\n        return x\n    return 1\n", "x >= 0", "not x < 0", "(nan,)"),
    "isinstance of its own": ("def isinstance(x, y):\n    return True\n\n\n", "def f(x):\n    if isinstance(x, int):\n        return x > 0\n    return 1\n", "> 0", ">= 1", "(0.5,)"),
    "a class of that name": ("class int(float):\n    pass\n\n\n", "def f(x):\n    if isinstance(x, int):\n        return x > 0\n    return 1\n", "> 0", ">= 1", "(int(0.5),)"),
    "isinstance is asked": ("", "def f(x):\n    if isinstance(x, int):\n        return 1\n    return 2\n", "isinstance(x, int)", "False", "(1,)"),
    "which class is asked for": ("", "def f(x):\n    return isinstance(x, int)\n", "int)", "(int, str))", "('a',)"),
    "a property that tells its class": ("", "def f(x):\n    if isinstance(x, int):\n        return 1\n    return 1\n", "isinstance(x, int)", "True", "(type('L', (), {'__class__': property(lambda self: tell(str))})(),)"),
    "a list that grows": ("", "def f(x):\n    if isinstance(x, list):\n        n = len(x)\n        x.extend([1])\n        return len(x) == n\n    return 1\n", "len(x) == n", "True", "([1],)"),
    "a list that others change": ("", "def f(x):\n    xs = sorted(x)\n    n = len(xs)\n    x.take(xs)\n    return len(xs) == n\n", "len(xs) == n", "True", "(type('T', (), {'__iter__': lambda s: iter([1]), 'take': lambda s, xs: xs.append(1)})(),)"),
    "a list of two": ("", "def f(x):\n    xs = list(x)\n    if len(xs) <= 2:\n        return xs[0]\n    return 0\n", "xs[0]", "xs[-1]", "((1, 2),)"),
    "str may answer a subclass": ("", "def f(x):\n    return str(x).find('a') >= 0\n", ">= 0", "> -1", f"(type('O', (), {{'__str__': lambda self: {_SUBCLASS}()}})(),)"),
    "float answers a fraction": ("", "def f(x):\n    return float(x) > 0\n", "> 0", ">= 1", "(0.5,)"),
    "sorted of its own": ("def sorted(x):\n    return x\n\n\n", "def f(x):\n    xs = sorted(x)\n    if len(xs) == 1:\n        return xs[0]\n    return 0\n", "xs[0]", "xs[-1]", "({0: 1},)"),
    "what in answers is no number": ("", "def f(x, y):\n    return (x in y) + 0\n", "(x in y) + 0", "x in y", "(1, [1])"),
    "what in asks": ("", "def f(x, y):\n    found = x in y\n    return 1\n", "x in y", "True", "(Loud(), [1])"),
    "enumerate from 1, more than 1": ("", "def f(x):\n    for i, y in enumerate(x, 1):\n        if i > 0:\n            tell(y)\n", "i > 0", "i > 1", "([1],)"),
    "enumerate from -1": ("", "def f(x):\n    for i, y in enumerate(x, -1):\n        if i >= 0:\n            tell(y)\n", "i >= 0", "True", "([1],)"),
    "a range from 1 in a comprehension": ("", "def f(n):\n    return [tell(i) for i in range(1, n)]\n", "1, n", "n", "(3,)"),
    "a range of its own in a comprehension": ("", "def f(n, range):\n    return [i for i in range(0, n)]\n", "0, n", "n", "(3, lambda *a: a)"),
    "methods of something else": ("", "def f(x):\n    return x.join('a').find('a') >= 0\n", ">= 0", "> -1", f"(type('J', (), {{'join': lambda self, a: {_SUBCLASS}()}})(),)"),
    "what it was before the loop": ("", "def f(x, ys):\n    n = int(x)\n    for y in ys:\n        n = y\n    return n > 0\n", "> 0", ">= 1", "(1, [0.5])"),
}  # fmt: skip
