"""C's types on LP64: widths, promotions, the usual arithmetic conversions, literals."""

import re

from equimut.languages.lowered import ANY, BOOL, Lit, Type, Unsupported

CHAR = Type("int", 8, name="char")
SHORT = Type("int", 16, name="short")
INT = Type("int", 32, name="int")
UNSIGNED = Type("int", 32, signed=False, name="unsigned")
LONG = Type("int", 64, name="long")
SIZE = Type("int", 64, signed=False, name="unsigned long")
FLOAT = Type("float", 32, name="float")
DOUBLE = Type("float", 64, name="double")
VOID = Type("any", name="void")

_UNSIGNED_CHAR = Type("int", 8, signed=False, name="unsigned char")
_UNSIGNED_SHORT = Type("int", 16, signed=False, name="unsigned short")
_WORDS = {
    ("char",): CHAR, ("char", "signed"): Type("int", 8, name="signed char"),
    ("char", "unsigned"): _UNSIGNED_CHAR, ("short",): SHORT, ("short", "unsigned"): _UNSIGNED_SHORT,
    ("signed",): INT, ("unsigned",): UNSIGNED, ("long",): LONG, ("long", "unsigned"): SIZE,
    (): INT, ("double",): DOUBLE, ("float",): FLOAT, ("void",): VOID, ("_Bool",): BOOL,
}  # fmt: skip
_NAMES = {
    "bool": BOOL, "_Bool": BOOL, "int8_t": _WORDS["char", "signed"], "uint8_t": _UNSIGNED_CHAR,
    "int16_t": SHORT, "uint16_t": _UNSIGNED_SHORT, "int32_t": INT, "uint32_t": UNSIGNED,
    "int64_t": LONG, "uint64_t": SIZE, "size_t": SIZE, "ssize_t": LONG, "ptrdiff_t": LONG,
    "intptr_t": LONG, "uintptr_t": SIZE, "intmax_t": LONG, "uintmax_t": SIZE, "time_t": LONG,
}  # fmt: skip
_ESCAPES = {
    "n": 10, "t": 9, "b": 8, "r": 13, "f": 12, "v": 11, "a": 7, "0": 0, "'": 39, '"': 34, "\\": 92,
    "?": 63,
}  # fmt: skip
_INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)([uUlL]*)")
_DECIMAL = re.compile(r"((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)([fF]?)")


def spelt(words: list[str]) -> Type | None:
    """The type that a declaration's words name; None for a name of somebody else's."""
    if len(words) == 1 and words[0] in _NAMES:
        return _NAMES[words[0]]
    plain = [word for word in words if word != "int"]
    if "long" in plain and "double" in plain:
        raise Unsupported("long double")
    if plain.count("long") == 2:
        plain.remove("long")
    plain = sorted(word for word in plain if word != "signed" or "char" in plain)
    return _WORDS.get(tuple(plain))


def pointer(target: Type) -> Type:
    """The type of addresses of a type's values."""
    return Type("int", 64, signed=False, name=f"{target}*", element=target)


def array(element: Type, count: int) -> Type:
    """An array of known length."""
    return Type("array", name=f"{element}[{count}]", element=element, count=count)


def is_pointer(type_: Type) -> bool:
    """Whether values are addresses."""
    return type_.kind == "int" and type_.element is not None


def is_integer(type_: Type) -> bool:
    """Whether integer promotion applies."""
    return type_.kind == "bool" or (type_.kind == "int" and type_.element is None)


def is_number(type_: Type) -> bool:
    """Whether arithmetic applies."""
    return is_integer(type_) or type_.kind == "float"


def promoted(type_: Type) -> Type:
    """Integer promotion."""
    return INT if type_.kind == "bool" or (is_integer(type_) and type_.bits < 32) else type_


def common(left: Type, right: Type) -> Type:
    """The type in which an operator computes; `ANY` where an operand is no known number."""
    if not (is_number(left) and is_number(right)):
        return ANY
    for wide in (DOUBLE, FLOAT):
        if wide in (left, right):
            return wide
    one, other = promoted(left), promoted(right)
    if one.bits != other.bits:
        return one if one.bits > other.bits else other
    return one if not one.signed else other


def wrapped(value: int, type_: Type) -> int:
    """An integer as a type holds it."""
    value &= (1 << type_.bits) - 1
    return value - (1 << type_.bits) if type_.signed and value >> (type_.bits - 1) else value


def number(text: str) -> Lit:
    """A number as it is written, with its sign if the grammar put it there."""
    negative, digits = text.startswith("-"), text.lstrip("+-").replace("'", "")
    whole = _INTEGER.fullmatch(digits)
    if whole:
        found = _integer(whole[1], whole[2].lower())
        value = found.value
        assert isinstance(value, int)
        return Lit(found.type, wrapped(-value if negative else value, found.type))
    fraction = _DECIMAL.fullmatch(digits)
    if fraction is None:
        raise Unsupported(f"the number {text}")
    real = float(fraction[1])
    return Lit(FLOAT if fraction[2] else DOUBLE, -real if negative else real)


def _integer(digits: str, suffix: str) -> Lit:
    plain = digits.lower()
    base = 16 if plain.startswith("0x") else 2 if plain.startswith("0b") else 10
    base = 8 if base == 10 and len(plain) > 1 and plain[0] == "0" else base
    value = int(plain[2:] if base in (2, 16) else plain, base)
    if suffix not in ("", "u", "l", "ll", "ul", "ull", "lu", "llu"):
        raise Unsupported(f"the suffix {suffix}")
    for type_ in (INT, UNSIGNED, LONG, SIZE):
        if ("u" in suffix and type_.signed) or ("l" in suffix and type_.bits == 32):
            continue
        if not type_.signed and "u" not in suffix and base == 10:
            continue
        if value < 1 << (type_.bits - type_.signed):
            return Lit(type_, value)
    raise Unsupported(f"the number {digits}")


def characters(text: str) -> list[int]:
    """The bytes between quotes."""
    found: list[int] = []
    place = 0
    while place < len(text):
        if text[place] != "\\":
            found.extend(text[place].encode())
            place += 1
            continue
        escape = re.compile(r"\\(x[0-9a-fA-F]+|[0-7]{1,3}|.)", re.DOTALL).match(text, place)
        if escape is None:
            raise Unsupported("an escape")
        inside, place = escape[1], escape.end()
        if inside[0] == "x":
            found.append(int(inside[1:], 16) & 255)
        elif inside[0] in "01234567":
            found.append(int(inside, 8) & 255)
        elif inside in _ESCAPES:
            found.append(_ESCAPES[inside])
        else:
            raise Unsupported("an escape")
    return found
