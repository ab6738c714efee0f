"""Java's types for the lowering: primitives, promotion, boxes."""

from equimut.languages.java.type_bodies import erased
from equimut.languages.lowered import ANY, BOOL, Type

BYTE = Type("int", 8, name="byte")
SHORT = Type("int", 16, name="short")
CHAR = Type("int", 16, signed=False, name="char")
INT = Type("int", 32, name="int")
LONG = Type("int", 64, name="long")
FLOAT = Type("float", 32, name="float")
DOUBLE = Type("float", 64, name="double")
STRING = Type("ref", name="String")
OBJECT = Type("ref", name="Object")
VOID = Type("any", name="void")
NULL = Type("ref", name="null")

PRIMITIVES = {t.name: t for t in (BYTE, SHORT, CHAR, INT, LONG, FLOAT, DOUBLE, BOOL)}
BOXES = {
    "Byte": BYTE, "Short": SHORT, "Character": CHAR, "Integer": INT, "Long": LONG,
    "Float": FLOAT, "Double": DOUBLE, "Boolean": BOOL,
}  # fmt: skip


def named(text: str) -> Type:
    """The type of this spelling."""
    plain = erased(text)
    if plain in PRIMITIVES:
        return PRIMITIVES[plain]
    if plain == "void":
        return VOID
    return Type("ref", name=plain, arguments=arguments(text))


def arguments(text: str) -> tuple[str, ...]:
    """The type arguments at the end of a type: `Map<K, List<V>>` has `K` and `List<V>`."""
    text = text.strip()
    if not text.endswith(">"):
        return ()
    depth, found = 0, [""]
    for sign in text:
        depth -= sign == ">"
        if depth == 1 and sign == ",":
            found.append("")
        elif depth >= 1:
            found[-1] += sign
        elif sign not in "<>":
            found = [""]  # `Outer<K>.Inner<V>`
        depth += sign == "<"
    return tuple(each.strip() for each in found)


def element(array: Type) -> Type:
    """The type of an array's elements."""
    return named(array.name[:-2]) if array.name.endswith("[]") else ANY


def unboxed(type_: Type) -> Type:
    """The primitive in a box; other types stay."""
    return BOXES.get(type_.name, type_) if type_.kind == "ref" else type_


def is_number(type_: Type) -> bool:
    """Whether arithmetic is exact on it."""
    return type_.kind in ("int", "float")


def promoted(left: Type, right: Type | None = None) -> Type:
    """Unary or binary numeric promotion; `ANY` where an operand is no known number."""
    sides = [unboxed(side) for side in (left, right) if side is not None]
    if not all(is_number(side) for side in sides):
        return ANY
    for wide in (DOUBLE, FLOAT, LONG):
        if wide in sides:
            return wide
    return INT
