"""What Python's builtins promise, one line each: tested against the running interpreter.

A key is (owner, name, number of arguments): the owner is a type, or empty for a builtin function.
`plain list` and the like are containers of numbers and strings, whose comparisons run no code of
the user's. `ensures` and `throws` are expressions over `this`, `a0`, `result`, `length(x)` and, for
what changes its receiver, `old`: its length before. They hold for arguments as in `takes`.
"""

import builtins

from equimut.languages.contracts import Contract

_TEXT = ("length(result) <= length(this)",)
_LONGER = ("length(result) >= length(this)",)
_STR: dict[tuple[str, str, int], Contract] = {
    ("str", "find", 1): Contract(
        "int", pure=True, total=True, takes=("str",),
        ensures=("result >= -1", "result == -1 or result <= length(this) - length(a0)"),
    ),
    ("str", "rfind", 1): Contract(
        "int", pure=True, total=True, takes=("str",),
        ensures=("result >= -1", "result == -1 or result <= length(this) - length(a0)"),
    ),
    ("str", "find", 2): Contract(
        "int", pure=True, total=True, takes=("str", "int"),
        ensures=("result >= -1", "result <= length(this)"),
    ),
    ("str", "index", 1): Contract(
        "int", pure=True, takes=("str",),
        ensures=("result >= 0", "result <= length(this) - length(a0)"),
    ),
    ("str", "rindex", 1): Contract(
        "int", pure=True, takes=("str",),
        ensures=("result >= 0", "result <= length(this) - length(a0)"),
    ),
    ("str", "count", 1): Contract(
        "int", pure=True, total=True, takes=("str",),
        ensures=("result >= 0", "result <= length(this) + 1"),
    ),
    ("str", "strip", 0): Contract("str", pure=True, total=True, ensures=_TEXT),
    ("str", "lstrip", 0): Contract("str", pure=True, total=True, ensures=_TEXT),
    ("str", "rstrip", 0): Contract("str", pure=True, total=True, ensures=_TEXT),
    ("str", "strip", 1): Contract("str", pure=True, total=True, takes=("str",), ensures=_TEXT),
    ("str", "lstrip", 1): Contract("str", pure=True, total=True, takes=("str",), ensures=_TEXT),
    ("str", "rstrip", 1): Contract("str", pure=True, total=True, takes=("str",), ensures=_TEXT),
    ("str", "upper", 0): Contract("str", pure=True, total=True, ensures=_LONGER),
    ("str", "lower", 0): Contract("str", pure=True, total=True, ensures=_LONGER),
    ("str", "title", 0): Contract("str", pure=True, total=True),
    ("str", "capitalize", 0): Contract("str", pure=True, total=True),
    ("str", "swapcase", 0): Contract("str", pure=True, total=True),
    ("str", "replace", 2): Contract("str", pure=True, total=True, takes=("str", "str")),
    ("str", "zfill", 1): Contract(
        "str", pure=True, takes=("int",), ensures=_LONGER
    ),
    ("str", "split", 0): Contract("list", pure=True, total=True, ensures=("length(result) >= 0",)),
    ("str", "split", 1): Contract(
        "list", pure=True, takes=("str",), throws="length(a0) == 0",
        ensures=("length(result) >= 1", "length(result) <= length(this) + 1"),
    ),
    ("str", "splitlines", 0): Contract("list", pure=True, total=True),
    ("str", "join", 1): Contract("str", pure=True, takes=("list",)),
    ("str", "startswith", 1): Contract("bool", pure=True, total=True, takes=("str",)),
    ("str", "endswith", 1): Contract("bool", pure=True, total=True, takes=("str",)),
}  # fmt: skip
for _name in ("isdigit", "isalpha", "isalnum", "isspace", "isupper", "islower", "isdecimal",
              "isnumeric", "istitle"):  # fmt: skip
    _STR["str", _name, 0] = Contract(
        "bool", pure=True, total=True, ensures=("length(this) > 0 or not result",)
    )
_LIST = {
    ("list", "reverse", 0): Contract(
        "None", total=True, changes=True, ensures=("length(this) == old",)
    ),
    ("plain list", "clear", 0): Contract(
        "None", total=True, changes=True, ensures=("length(this) == 0",)
    ),
    ("plain list", "sort", 0): Contract("None", changes=True, ensures=("length(this) == old",)),
    ("plain list", "count", 1): Contract(
        "int", total=True, takes=("int|str|bool|None|float",),
        ensures=("result >= 0", "result <= length(this)"),
    ),
    ("plain list", "index", 1): Contract(
        "int", takes=("int|str|bool|None|float",), ensures=("result >= 0", "result < length(this)")
    ),
}  # fmt: skip
_KEYED = {
    ("plain dict", "get", 2): Contract(
        "value", total=True, takes=("int|str|bool|None|float", "int|str|bool|None|float")
    ),
    ("plain set", "add", 1): Contract(
        "None", total=True, changes=True, takes=("int|str|bool|None|float",),
        ensures=("length(this) >= old", "length(this) <= old + 1", "length(this) >= 1"),
    ),
    ("plain set", "discard", 1): Contract(
        "None", total=True, changes=True, takes=("int|str|bool|None|float",),
        ensures=("length(this) <= old", "length(this) >= old - 1"),
    ),
}  # fmt: skip
_FUNCTIONS = {
    ("", "ord", 1): Contract(
        "int", pure=True, takes=("str",), throws="length(a0) != 1",
        ensures=("result >= 0", "result <= 1114111", "result == code(a0)"),
    ),
    ("", "chr", 1): Contract(
        "str", pure=True, takes=("int",), throws="a0 < 0 or a0 > 1114111",
        ensures=("length(result) == 1", "code(result) == a0"),
    ),
    ("", "str", 1): Contract(
        "str", pure=True, takes=("int|bool|float|None",), ensures=("length(result) >= 1",)
    ),
    ("", "repr", 1): Contract(
        "str", pure=True, takes=("int|bool|float|None|str",), ensures=("length(result) >= 1",)
    ),
    ("", "int", 1): Contract("int", pure=True, takes=("str|float",)),
    ("", "float", 1): Contract("float", pure=True, takes=("int|bool|str",)),
    ("plain", "sum", 1): Contract("value", takes=("list",)),
    ("plain", "min", 1): Contract("value", takes=("list",)),
    ("plain", "max", 1): Contract("value", takes=("list",)),
    ("plain", "sorted", 1): Contract(
        "list", takes=("list",), ensures=("length(result) == length(a0)",)
    ),
    ("plain", "list", 1): Contract(
        "list", takes=("list",), total=True, ensures=("length(result) == length(a0)",)
    ),
}  # fmt: skip

CONTRACTS = {**_STR, **_LIST, **_KEYED, **_FUNCTIONS}
SUPERTYPES = {
    name: tuple(base.__name__ for base in kind.__mro__[1:-1])
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, BaseException)
}

LAST: dict[tuple[str, int], tuple[object, ...]] = {
    ("enumerate", 2): (0,), ("sum", 2): (0,), ("round", 2): (None,), ("pow", 3): (None,),
    ("open", 2): ("r",),
}  # fmt: skip
"""By builtin and number of arguments: values of the last argument that change nothing."""
KEYWORDS: dict[tuple[str, str | None], tuple[object, ...]] = {
    ("enumerate", "start"): (0,), ("sum", "start"): (0,), ("round", "ndigits"): (None,),
    ("zip", "strict"): (False, None), ("sorted", "key"): (None,), ("sorted", "reverse"): (False,),
    ("min", "key"): (None,), ("max", "key"): (None,), ("print", "sep"): (" ", None),
    ("print", "end"): ("\n", None), ("print", "file"): (None,), ("print", "flush"): (False,),
    ("open", "mode"): ("r",), ("open", "encoding"): (None,), ("open", "errors"): (None,),
    ("open", "newline"): (None,), ("open", "closefd"): (True,), ("open", "opener"): (None,),
}  # fmt: skip
"""The same by keyword."""
MODELLED = frozenset({"math.isnan", "math.isinf", "math.isfinite"})
"""Functions of modules that are computed like builtins, where the file imports them."""
CLASSES = frozenset({"str", "int", "float", "bool", "list", "tuple", "dict", "set", "bytes"})
"""Classes that `isinstance` may be asked for without running code of theirs."""
TEXT = "text.format"
"""`format` of a template that has text of its own: a bare `{}` may answer what fills it."""
RESULTS: dict[str, str] = {
    TEXT: "str",
    "int": "int", "float": "float", "bool": "bool", "ord": "int", "chr": "str", "hash": "int",
    "list": "list", "sorted": "list", "tuple": "tuple", "dict": "dict",
    "set": "set", "any": "bool", "all": "bool", "callable": "bool", "hasattr": "bool",
    "isinstance": "bool", "issubclass": "bool", "bin": "str", "hex": "str", "oct": "str",
    **dict.fromkeys(
        (f"str.{name}" for name in (
            "join", "replace", "strip", "lstrip", "rstrip", "upper",
            "lower", "title", "capitalize", "swapcase", "casefold", "zfill", "center", "ljust",
            "rjust", "expandtabs", "translate", "removeprefix", "removesuffix",
        )), "str",
    ),
    **dict.fromkeys(("str.split", "str.rsplit", "str.splitlines"), "list"),
    **dict.fromkeys(("str.partition", "str.rpartition"), "tuple"),
    **dict.fromkeys(("str.find", "str.rfind", "str.index", "str.rindex", "str.count"), "int"),
    **dict.fromkeys(("str.startswith", "str.endswith"), "bool"),
    "list.index": "int", "list.count": "int", "list.copy": "list", "tuple.index": "int",
    "tuple.count": "int", "dict.copy": "dict", "set.copy": "set", "list.append": "None",
    "list.extend": "None", "list.insert": "None", "list.sort": "None", "list.reverse": "None",
    "list.clear": "None", "list.remove": "None", "dict.update": "None", "dict.clear": "None",
    "set.add": "None", "set.discard": "None", "set.clear": "None", "set.update": "None",
}  # fmt: skip
"""What builtins and methods of builtin values answer if they do, whatever they are given: exactly
this class. (`str` and `"{}".format` may answer an instance of a subclass.)"""
LEAST: dict[str, int] = {
    "ord": 0, "str.find": -1, "str.rfind": -1, "str.index": 0, "str.rindex": 0, "str.count": 0,
    "list.index": 0, "list.count": 0, "tuple.index": 0, "tuple.count": 0,
}  # fmt: skip
"""The least number that some of them answer."""
