"""Recipes: values as JSON, which can be built again, shown as source, and changed a little.

None, booleans, whole numbers, finite floats and texts stand for themselves; everything else is an
object with one of these keys:

    list, tuple, set, frozenset    items
    dict                           pairs of key and value
    bytes                          text in Latin-1
    float                          nan, inf, -inf
    module                         the name of a module
    name                           "module:Qualified.name": a class, function or enum member
    stock                          one of the functions of STOCK
    new                            "module:Class" (or a function), with args, named, and then:
                                   methods to call afterwards, as [name, args, named]
"""

import dataclasses
import datetime
import decimal
import enum
import fractions
import importlib
import io
import math
import pathlib
import re
import sys
import types
import uuid
from collections import OrderedDict, deque
from typing import Any

MOST_NODES = 400
"""Parts of one value that is kept."""
LONGEST_TEXT = 2_000
DEEPEST = 12
MOST_BITS = 4_000
SEQUENCES: dict[Any, str] = {list: "list", tuple: "tuple", set: "set", frozenset: "frozenset"}
BUILDERS = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}
STOCK = {
    "lambda *args: args[0] if args else None": lambda *args: args[0] if args else None,
    "lambda *args: len(args)": lambda *args: len(args),
    "lambda *args: True": lambda *args: True,
    "lambda *args: None": lambda *args: None,
    "lambda *args: str(args)": lambda *args: str(args),
}
"""Functions to give where a function is wanted, by their source."""


class Unfit(Exception):
    """A value that no recipe describes; the message says what it is."""


def resolve(name: str) -> Any:
    """What a `module:Qualified.name` stands for."""
    module, _, path = name.partition(":")
    value: Any = importlib.import_module(module)
    for part in path.split("."):
        value = getattr(value, part)
    return value


def build(recipe: Any) -> Any:
    """A fresh value from its recipe."""
    if not isinstance(recipe, dict):
        return recipe
    for kind, builder in BUILDERS.items():
        if kind in recipe:
            return builder(build(item) for item in recipe[kind])
    if "dict" in recipe:
        return {build(key): build(value) for key, value in recipe["dict"]}
    if "bytes" in recipe:
        return recipe["bytes"].encode("latin-1")
    if "float" in recipe:
        return float(recipe["float"])
    if "module" in recipe:
        return importlib.import_module(recipe["module"])
    if "name" in recipe:
        return resolve(recipe["name"])
    if "stock" in recipe:
        return STOCK[recipe["stock"]]
    named = {key: build(value) for key, value in recipe.get("named", {}).items()}
    made = resolve(recipe["new"])(*map(build, recipe.get("args", ())), **named)
    for method, args, more in recipe.get("then", ()):
        getattr(made, method)(
            *map(build, args), **{key: build(value) for key, value in more.items()}
        )
    return made


class Encoder:
    """Turns values into recipes; `known` knows how some objects were made."""

    def __init__(self, known: Any = None) -> None:
        self.known = known
        self.nodes = 0

    def encode(self, value: Any, depth: int = 0) -> Any:
        """The recipe of a value, or Unfit."""
        self.nodes += 1
        if self.nodes > MOST_NODES or depth > DEEPEST:
            raise Unfit("a large value")
        kind = type(value)
        if value is None or kind is bool:
            return value
        if kind is int:
            return self._checked(value, value.bit_length() <= MOST_BITS)
        if kind is float:
            return value if math.isfinite(value) else {"float": repr(value)}
        if kind is str:
            return self._checked(value, len(value) <= LONGEST_TEXT and _is_text(value))
        if kind is bytes:
            return {"bytes": self._checked(value, len(value) <= LONGEST_TEXT).decode("latin-1")}
        if kind in SEQUENCES:
            items = [self.encode(item, depth + 1) for item in value]
            if kind in (set, frozenset):
                items.sort(key=repr)
            return {SEQUENCES[kind]: items}
        if kind is dict:
            return {"dict": self._pairs(value, depth)}
        made = self.known(value) if self.known is not None else None
        return made if made is not None else self._object(value, kind, depth)

    def _checked(self, value: Any, fits: bool) -> Any:
        if not fits:
            raise Unfit("a large value")
        return value

    def _pairs(self, value: Any, depth: int) -> list[Any]:
        items = value.items()
        return [[self.encode(key, depth + 1), self.encode(item, depth + 1)] for key, item in items]

    def _object(self, value: Any, kind: type, depth: int) -> Any:
        if kind is types.ModuleType:
            return {
                "module": self._checked(value.__name__, sys.modules.get(value.__name__) is value)
            }
        if isinstance(value, enum.Enum):
            return {"name": importable(kind, f".{value.name}", value)}
        if isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType)):
            return {"name": importable(value)}
        if isinstance(value, (list, tuple, dict, str, int, float, bytes)):
            return self._of_builtin(value, kind, depth)
        args = known_arguments(value)
        if args is not None:
            maker, rest = args
            return {"new": maker, "args": [self.encode(part, depth + 1) for part in rest]}
        if dataclasses.is_dataclass(value) and _made_by_fields(kind):
            fields = [field for field in dataclasses.fields(value) if field.init]
            named = {f.name: self.encode(getattr(value, f.name), depth + 1) for f in fields}
            return {"new": importable(kind), "named": named}
        if isinstance(value, BaseException) and _maker(kind) in BARE:
            return {
                "new": importable(kind),
                "args": [self.encode(a, depth + 1) for a in value.args],
            }
        raise Unfit(f"a {kind.__name__}")

    def _of_builtin(self, value: Any, kind: type, depth: int) -> Any:
        """An instance of a subclass of a builtin: named tuples, ordered dicts, text with a name."""
        if isinstance(value, tuple) and hasattr(kind, "_fields"):
            names = kind._fields
            named = {n: self.encode(p, depth + 1) for n, p in zip(names, value, strict=True)}
            return {"new": importable(kind), "named": named}
        if kind is OrderedDict:
            pairs = [{"tuple": pair} for pair in self._pairs(value, depth)]
            return {"new": "collections:OrderedDict", "args": [{"list": pairs}]}
        if getattr(value, "__dict__", None) or _maker(kind) not in BARE or isinstance(value, dict):
            raise Unfit(f"a {kind.__name__}")
        base = next(b for b in (list, tuple, str, int, float, bytes) if isinstance(value, b))
        return {"new": importable(kind), "args": [self.encode(base(value), depth + 1)]}


BARE = {c.__init__ for c in (object, int, str, bytes, float, tuple, list, Exception, BaseException)}


def _maker(kind: Any) -> Any:
    return kind.__init__


def _made_by_fields(kind: Any) -> bool:
    return bool(kind.__dataclass_params__.init)


def known_arguments(value: Any) -> tuple[str, tuple[Any, ...]] | None:
    """How an object of the standard library is made."""
    kind = type(value)
    parts: tuple[Any, ...]
    if kind is datetime.datetime:
        parts = (value.year, value.month, value.day, value.hour, value.minute, value.second,
                 value.microsecond, value.tzinfo)  # fmt: skip
        return "datetime:datetime", _trimmed(parts, 3)
    if kind is datetime.time:
        parts = (value.hour, value.minute, value.second, value.microsecond, value.tzinfo)
        return "datetime:time", _trimmed(parts, 0)
    if kind is datetime.date:
        return "datetime:date", (value.year, value.month, value.day)
    if kind is datetime.timedelta:
        return "datetime:timedelta", _trimmed((value.days, value.seconds, value.microseconds), 1)
    if kind is datetime.timezone:
        return "datetime:timezone", (value.utcoffset(None),)
    if kind is decimal.Decimal:
        return "decimal:Decimal", (str(value),)
    if kind is fractions.Fraction:
        return "fractions:Fraction", (value.numerator, value.denominator)
    if isinstance(value, pathlib.PurePath):
        return f"pathlib:{'Path' if isinstance(value, pathlib.Path) else 'PurePath'}", (str(value),)
    if kind is re.Pattern:
        flags = int(value.flags) & ~(re.UNICODE if isinstance(value.pattern, str) else 0)
        return "re:compile", (value.pattern, flags) if flags else (value.pattern,)
    if kind is range:
        return "builtins:range", (value.start, value.stop, value.step)
    if kind is slice:
        return "builtins:slice", (value.start, value.stop, value.step)
    if kind is complex:
        return "builtins:complex", (value.real, value.imag)
    if kind is bytearray:
        return "builtins:bytearray", (bytes(value),)
    if kind is deque:
        return "collections:deque", (list(value),)
    if kind is uuid.UUID:
        return "uuid:UUID", (str(value),)
    if kind in (io.StringIO, io.BytesIO) and not value.closed:
        return f"io:{kind.__name__}", (value.getvalue(),)
    if kind is object:
        return "builtins:object", ()
    return None


def _trimmed(parts: tuple[Any, ...], least: int) -> tuple[Any, ...]:
    """Without the zeros at the end."""
    while len(parts) > least and not parts[-1]:
        parts = parts[:-1]
    return parts


def importable(value: Any, suffix: str = "", wanted: Any = None) -> str:
    """The `module:Qualified.name` under which a class or function is found again, or Unfit."""
    module, path = getattr(value, "__module__", None), getattr(value, "__qualname__", "")
    name = f"{module}:{path}{suffix}"
    top = (module or "").split(".")[0]
    inner = "<" in path or top in ("__main__", "conftest", "tests", "test")
    if module and path and not inner and not module.split(".")[-1].startswith("test_"):
        try:
            if resolve(name) is (value if wanted is None else wanted):
                return name
        except Exception:  # noqa: BLE001  # whatever its module does
            pass
    raise Unfit(
        "a function" if callable(value) and not isinstance(value, type) else "a local class"
    )


def _is_text(value: str) -> bool:
    return not any(0xD800 <= ord(character) <= 0xDFFF for character in value)
