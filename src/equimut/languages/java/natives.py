"""Methods of the JDK on concrete values: characters are numbers, texts are plain ASCII."""

import math
from typing import Any

from equimut.languages.concrete import Array, Builder, Native, OnText, Stuck, Thrown

_OUTSIDE = "StringIndexOutOfBoundsException"


def _char_at(text: str, place: int) -> int:
    if not 0 <= place < len(text):
        raise Thrown(_OUTSIDE)
    return ord(text[place])


def _substring(text: str, start: int, end: int | None = None) -> str:
    end = len(text) if end is None else end
    if start < 0 or end > len(text) or start > end:
        raise Thrown(_OUTSIDE)
    return text[start:end]


def _index_of(text: str, what: int | str, start: int = 0) -> int:
    return text.find(_part(what), max(start, 0)) if start <= len(text) else -1


def _last_index_of(text: str, what: int | str) -> int:
    return text.rfind(_part(what))


def _part(what: int | str) -> str:
    if what is None:
        raise Thrown("NullPointerException")
    return what if isinstance(what, str) else chr(what)


def _equals(text: str, other: Any) -> bool:
    if other is not None and not isinstance(other, str):
        raise Stuck
    return text == other


def _ascii(code: int) -> str:
    if not 0 <= code < 128:
        raise Stuck
    return chr(code)


def _digit(code: int, radix: int) -> int:
    sign = _ascii(code)
    if not sign.isalnum() or not 2 <= radix <= 36:
        return -1
    value = int(sign, 36)
    return value if value < radix else -1


def _append(builder: Builder, text: str) -> Builder:
    builder.text += text
    return builder


def _insert(builder: Builder, place: int, text: str) -> Builder:
    if not 0 <= place <= len(builder.text):
        raise Thrown(_OUTSIDE)
    builder.text = builder.text[:place] + text + builder.text[place:]
    return builder


def _set_length(builder: Builder, size: int) -> None:
    if size < 0:
        raise Thrown("IndexOutOfBoundsException")
    builder.text = builder.text[:size].ljust(size, "\0")


def _delete_char(builder: Builder, place: int) -> Builder:
    _char_at(builder.text, place)
    builder.text = builder.text[:place] + builder.text[place + 1 :]
    return builder


def _reverse(builder: Builder) -> Builder:
    builder.text = builder.text[::-1]
    return builder


def _builder(first: Any = "") -> Builder:
    if isinstance(first, int):
        if first < 0:
            raise Thrown("NegativeArraySizeException")
        first = ""
    return Builder(_part(first))


def _text_of_array(array: Array | None, start: int = 0, count: int | None = None) -> str:
    if not isinstance(array, Array):
        raise Thrown("NullPointerException") if array is None else Stuck
    count = len(array.items) - start if count is None else count
    if start < 0 or count < 0 or start + count > len(array.items):
        raise Thrown(_OUTSIDE)
    return "".join(map(chr, array.items[start : start + count]))


def _array(array: Array | None) -> Array:
    if not isinstance(array, Array):
        raise Thrown("NullPointerException") if array is None else Stuck
    return array


def _copy_of(array: Array | None, size: int) -> Array:
    items = _array(array).items
    if size < 0:
        raise Thrown("NegativeArraySizeException")
    if size > 4_096 or (size > len(items) and not items):
        raise Stuck  # what it is filled with depends on its type
    filling = {bool: False, int: 0, float: 0.0}
    zero = filling.get(type(items[0])) if items else None
    return Array(items[:size] + [zero] * (size - len(items)))


def _fill(array: Array | None, value: Any) -> None:
    _array(array).items[:] = [value] * len(_array(array).items)


def _sort(array: Array | None) -> None:
    items = _array(array).items
    if any(not isinstance(each, int) for each in items):
        raise Stuck
    items.sort()


def _floor(op: str) -> Any:
    def divide(one: int, other: int) -> int:
        if other == 0:
            raise Thrown("ArithmeticException")
        return one // other if op == "/" else one % other

    return divide


def _extreme(best: Any) -> Any:
    def found(one: Any, other: Any) -> Any:
        if isinstance(one, float) and (one == other or math.isnan(one) or math.isnan(other)):
            raise Stuck  # -0.0 and NaN
        return best(one, other)

    return found


_STRING: dict[tuple[str, str, int], Native] = {
    ("String", "length", 0): len,
    ("String", "isEmpty", 0): lambda text: not text,
    ("String", "charAt", 1): _char_at,
    ("String", "substring", 1): _substring,
    ("String", "substring", 2): _substring,
    ("String", "equals", 1): _equals,
    ("String", "indexOf", 1): _index_of,
    ("String", "indexOf", 2): _index_of,
    ("String", "lastIndexOf", 1): _last_index_of,
    ("String", "contains", 1): lambda text, what: _part(what) in text,
    ("String", "startsWith", 1): lambda text, what: text.startswith(_part(what)),
    ("String", "endsWith", 1): lambda text, what: text.endswith(_part(what)),
    ("String", "trim", 0): lambda text: text.strip("".join(map(chr, range(33)))),
    ("String", "toLowerCase", 0): str.lower,
    ("String", "toUpperCase", 0): str.upper,
    ("String", "toString", 0): str,
    ("String", "toCharArray", 0): lambda text: Array([ord(each) for each in text]),
    ("String", "concat", 1): lambda text, what: text + _part(what),
    ("String", "valueOf", 1): OnText(lambda text: text),
    ("Integer", "toString", 1): OnText(lambda text: text),
    ("Long", "toString", 1): OnText(lambda text: text),
    ("new", "String", 1): lambda of: of if isinstance(of, str) else _text_of_array(of),
    ("new", "String", 3): _text_of_array,
}
_BUILDER: dict[tuple[str, str, int], Native] = {}
for _owner in ("StringBuilder", "StringBuffer"):
    _BUILDER |= {
        ("new", _owner, 0): _builder,
        ("new", _owner, 1): _builder,
        (_owner, "append", 1): OnText(_append),
        (_owner, "insert", 2): OnText(_insert),
        (_owner, "length", 0): lambda builder: len(builder.text),
        (_owner, "charAt", 1): lambda builder, place: _char_at(builder.text, place),
        (_owner, "setLength", 1): _set_length,
        (_owner, "deleteCharAt", 1): _delete_char,
        (_owner, "reverse", 0): _reverse,
        (_owner, "toString", 0): lambda builder: str(builder.text),
    }
_CHARACTER: dict[tuple[str, str, int], Native] = {
    ("Character", "isDigit", 1): lambda code: _ascii(code).isdigit(),
    ("Character", "isLetter", 1): lambda code: _ascii(code).isalpha(),
    ("Character", "isLetterOrDigit", 1): lambda code: _ascii(code).isalnum(),
    ("Character", "isUpperCase", 1): lambda code: _ascii(code).isupper(),
    ("Character", "isLowerCase", 1): lambda code: _ascii(code).islower(),
    ("Character", "isWhitespace", 1): lambda code: _ascii(code) in "\t\n\v\f\r\x1c\x1d\x1e\x1f ",
    ("Character", "toLowerCase", 1): lambda code: ord(_ascii(code).lower()),
    ("Character", "toUpperCase", 1): lambda code: ord(_ascii(code).upper()),
    ("Character", "digit", 2): _digit,
    ("Character", "getNumericValue", 1): lambda code: _digit(code, 36),
}


def _in_order(one: float, other: float) -> int:
    """-0.0 is less than 0.0, and what is no number more than all."""
    places = [
        (math.isnan(each), 0.0 if math.isnan(each) else float(each), math.copysign(1, each))
        for each in (one, other)
    ]
    return (places[0] > places[1]) - (places[0] < places[1])


_NUMBERS: dict[tuple[str, str, int], Native] = {
    ("Math", "abs", 1): abs,
    ("Math", "max", 2): _extreme(max),
    ("Math", "min", 2): _extreme(min),
    ("Math", "floorDiv", 2): _floor("/"),
    ("Math", "floorMod", 2): _floor("%"),
    ("Integer", "compare", 2): lambda one, other: (one > other) - (one < other),
    ("Long", "compare", 2): lambda one, other: (one > other) - (one < other),
    ("Integer", "bitCount", 1): lambda value: (value & 0xFFFFFFFF).bit_count(),
    ("Long", "bitCount", 1): lambda value: (value & (2**64 - 1)).bit_count(),
    ("Double", "compare", 2): _in_order,
    ("Float", "compare", 2): _in_order,
    ("Double", "isNaN", 1): math.isnan,
    ("Double", "isInfinite", 1): math.isinf,
}
_ARRAYS: dict[tuple[str, str, int], Native] = {
    ("Arrays", "copyOf", 2): _copy_of,
    ("Arrays", "fill", 2): _fill,
    ("Arrays", "sort", 1): _sort,
    ("Arrays", "equals", 2): lambda one, other: _array(one).items == _array(other).items,
}
for _type in ("int", "long", "char", "byte", "short", "double", "float", "boolean", "String"):
    _ARRAYS[f"{_type}[]", "clone", 0] = lambda array: Array(list(_array(array).items))
NATIVES = {**_STRING, **_BUILDER, **_CHARACTER, **_NUMBERS, **_ARRAYS}
