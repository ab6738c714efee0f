"""Data-flow graphs of Python."""

from oracles.flow_examples.example import Example, edges

EXAMPLES: tuple[Example, ...] = (
    Example(
        "definition",
        "def f(a):\n    b = a\n    return b\n",
        edges("b#1<-a#2", "a#2<-a#1", "b#2<-b#1"),
    ),
    Example(
        "parameters",
        "def f(a, b=1, *c, d: int = 2, **e):\n    return a, b, c, d, e\n",
        edges("b#1<-1", "d#1<-2", "a#2<-a#1", "b#2<-b#1", "c#2<-c#1", "d#2<-d#1", "e#2<-e#1"),
    ),
    Example(
        "swap",
        "def f(a, b):\n    a, b = b, a\n    return a\n",
        edges("a#2<-b#3", "b#2<-a#3", "b#3<-b#1", "a#3<-a#1", "a#4<-a#2"),
    ),
    Example(
        "nested unpacking",
        "def f(a):\n    (x, [y, z]) = a\n    return x + z\n",
        edges("x#1<-a#2", "y<-a#2", "z#1<-a#2", "a#2<-a#1", "x#2<-x#1", "z#2<-z#1"),
    ),
    Example(
        "starred unpacking",
        "def f(a):\n    first, *rest = a\n    return rest\n",
        edges("first<-a#2", "rest#1<-a#2", "a#2<-a#1", "rest#2<-rest#1"),
    ),
    Example(
        "starred values",
        "def f(a, b):\n    c, d = *a, b\n    *c, d = a, b\n",
        edges("c#1<-a#2,b#2", "d#1<-a#2,b#2", "a#2<-a#1", "b#2<-b#1")
        | edges("c#2<-a#3", "d#2<-b#3", "a#3<-a#1", "b#3<-b#1"),
    ),
    Example(
        "augmented assignment",
        "def f(a, b):\n    a += b\n    return a\n",
        edges("a#2<-b#2", "b#2<-b#1", "a#3<-a#2"),
    ),
    Example(
        "walrus",
        "def f(a):\n    if (n := len(a)) > 3:\n        return n\n",
        edges("n#1<-len,a#2", "a#2<-a#1", "n#2<-n#1"),
    ),
    Example(
        "comprehension",
        "def f(a):\n    return [x + y for x in a if x for y in x]\n",
        edges("x#1<-x#2", "y#1<-y#2", "x#2<-a#2", "a#2<-a#1", "x#3<-x#2", "y#2<-x#4", "x#4<-x#2"),
    ),
    Example(
        "a comprehension keeps its names",
        "def f(a, x):\n    b = {k: v for k, v in a}\n    c = [x for x in b]\n    return x\n",
        edges(
            "b#1<-k#1,v#1,k#2,v#2,a#2",
            "k#1<-k#2",
            "v#1<-v#2",
            "k#2<-a#2",
            "v#2<-a#2",
            "a#2<-a#1",
            "c<-x#2,x#3,b#2",
            "x#2<-x#3",
            "x#3<-b#2",
            "b#2<-b#1",
            "x#4<-x#1",
        ),
    ),
    Example(
        "with",
        "def f(a):\n    with open(a) as h, a as (p, q):\n        return h + p\n",
        edges(
            "a#2<-a#1", "h#1<-open,a#2", "a#3<-a#1", "p#1<-a#3", "q<-a#3", "h#2<-h#1", "p#2<-p#1"
        ),
    ),
    Example(
        "try",
        "def f(a):\n"
        "    x = 0\n"
        "    try:\n"
        "        x = g(a)\n"
        "    except (E, F) as e:\n"
        "        log(e, x)\n"
        "    else:\n"
        "        x = 1\n"
        "    finally:\n"
        "        h(x)\n"
        "    return x\n",
        edges(
            "x#1<-0",
            "x#2<-g,a#2",
            "a#2<-a#1",
            "e#1<-E,F",
            "e#2<-e#1",
            "x#3<-x#1,x#2",
            "x#4<-1",
            "x#5<-x#1,x#2,x#4",
            "x#6<-x#1,x#2,x#4",
        ),
    ),
    Example(
        "nested function",
        "def f(a):\n    def g(b):\n        c = a + b\n        return c\n    return g(a)\n",
        edges("c#1<-a#2,b#2", "a#2<-a#1", "b#2<-b#1", "c#2<-c#1", "g#2<-g#1", "a#3<-a#1"),
    ),
    Example(
        "match",
        "def f(a):\n"
        "    match a:\n"
        "        case [x, *y]:\n"
        "            return x, y\n"
        "        case Point(x=u) | {'k': u, **w}:\n"
        "            return u, w\n"
        "        case 1 as n:\n"
        "            return n\n"
        "        case _:\n"
        "            return a\n",
        edges(
            "a#2<-a#1",
            "x#1<-a#2",
            "y#1<-a#2",
            "x#2<-x#1",
            "y#2<-y#1",
            "u#1<-a#2",
            "u#2<-a#2",
            "w#1<-a#2",
            "u#3<-u#2",
            "w#2<-w#1",
            "n#1<-a#2,1",
            "n#2<-n#1",
            "a#3<-a#1",
        ),
    ),
    Example(
        "for with else",
        "def f(n):\n    for i, j in n:\n        n = i\n    else:\n        n = 2\n    return n\n",
        edges("i#1<-n#2", "j<-n#2", "n#2<-n#1,n#3", "n#3<-i#2", "i#2<-i#1", "n#4<-2", "n#5<-n#4"),
    ),
    Example(
        "while",
        "def f(n):\n    while n:\n        n -= 1\n    return n\n",
        edges("n#2<-n#1,n#3", "n#3<-1", "n#4<-n#3"),
    ),
    Example(
        "if, elif, else",
        "def f(a):\n"
        "    x = 0\n"
        "    if a:\n"
        "        x = 1\n"
        "    elif a > 5:\n"
        "        x = 2\n"
        "    else:\n"
        "        x = 3\n"
        "    return x\n",
        edges("x#1<-0", "a#2<-a#1", "x#2<-1", "a#3<-a#1", "x#3<-2", "x#4<-3", "x#5<-x#2,x#3,x#4"),
    ),
    Example(
        "lambda",
        "g = lambda t, s=1: t + s\nh = t\n",
        edges("g<-t#1,s#1,1,t#2,s#2", "s#1<-1", "t#2<-t#1", "s#2<-s#1", "h<-t#3"),
    ),
    Example(
        "annotation",
        "def f(a):\n    x: int\n    x: int = a\n    return x\n",
        edges("x#2<-a#2", "a#2<-a#1", "x#3<-x#2"),
    ),
    Example(
        "method out of its class", "    def f(self, a):\n        return a\n", edges("a#2<-a#1")
    ),
)
