"""Java's literals and names, lowered: locals by scope, members, constants."""

import re
from math import e, inf, nan, pi

from tree_sitter import Node

from equimut.languages.java.api import LANGUAGE
from equimut.languages.java.io_api import PARENTS
from equimut.languages.java.lowering.conversions import Conversions
from equimut.languages.java.lowering.types import (
    BYTE,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    NULL,
    SHORT,
    STRING,
    element,
    named,
)
from equimut.languages.lowered import (
    ANY,
    BOOL,
    Assign,
    Call,
    Element,
    Expr,
    Field,
    Length,
    Lit,
    Local,
    OpaqueExpr,
    Then,
    Type,
    Unsupported,
)

THIS = Local(Type("ref", name="this"), "this")
SCOPE = Local(Type("ref", name="?"), "scope")
"""Whatever a name without a declaration belongs to: this object, one around it, a class."""
DECLARED = "fields and results are of the types that another file declares"
_ESCAPES = {"n": "\n", "t": "\t", "b": "\b", "r": "\r", "f": "\f", "s": " ", "0": "\0",
            "'": "'", '"': '"', "\\": "\\"}  # fmt: skip
_ESCAPED = re.compile(r"\\(?:u+([0-9a-fA-F]{4})|([0-3]?[0-7]{1,2})|(.))")
_LIMITS = {
    ("Integer", "MAX_VALUE"): Lit(INT, 2**31 - 1), ("Integer", "MIN_VALUE"): Lit(INT, -(2**31)),
    ("Long", "MAX_VALUE"): Lit(LONG, 2**63 - 1), ("Long", "MIN_VALUE"): Lit(LONG, -(2**63)),
    ("Integer", "SIZE"): Lit(INT, 32), ("Integer", "BYTES"): Lit(INT, 4),
    ("Long", "SIZE"): Lit(INT, 64), ("Long", "BYTES"): Lit(INT, 8),
    ("Short", "MAX_VALUE"): Lit(SHORT, 2**15 - 1), ("Short", "MIN_VALUE"): Lit(SHORT, -(2**15)),
    ("Byte", "MAX_VALUE"): Lit(BYTE, 127), ("Byte", "MIN_VALUE"): Lit(BYTE, -128),
    ("Character", "MAX_VALUE"): Lit(CHAR, 0xFFFF), ("Character", "MIN_VALUE"): Lit(CHAR, 0),
    ("Character", "MIN_RADIX"): Lit(INT, 2), ("Character", "MAX_RADIX"): Lit(INT, 36),
    ("Character", "MIN_SUPPLEMENTARY_CODE_POINT"): Lit(INT, 0x10000),
    ("Character", "MAX_CODE_POINT"): Lit(INT, 0x10FFFF),
    ("Character", "MIN_HIGH_SURROGATE"): Lit(CHAR, 0xD800),
    ("Character", "MAX_HIGH_SURROGATE"): Lit(CHAR, 0xDBFF),
    ("Character", "MIN_LOW_SURROGATE"): Lit(CHAR, 0xDC00),
    ("Character", "MAX_LOW_SURROGATE"): Lit(CHAR, 0xDFFF),
    ("Character", "MIN_SURROGATE"): Lit(CHAR, 0xD800),
    ("Character", "MAX_SURROGATE"): Lit(CHAR, 0xDFFF),
    ("Double", "POSITIVE_INFINITY"): Lit(DOUBLE, inf),
    ("Double", "NEGATIVE_INFINITY"): Lit(DOUBLE, -inf), ("Double", "NaN"): Lit(DOUBLE, nan),
    ("Double", "MAX_VALUE"): Lit(DOUBLE, 1.7976931348623157e308),
    ("Double", "MIN_VALUE"): Lit(DOUBLE, 5e-324),
    ("Double", "MIN_NORMAL"): Lit(DOUBLE, 2.2250738585072014e-308),
    ("Float", "POSITIVE_INFINITY"): Lit(FLOAT, inf),
    ("Float", "NEGATIVE_INFINITY"): Lit(FLOAT, -inf), ("Float", "NaN"): Lit(FLOAT, nan),
    ("Math", "PI"): Lit(DOUBLE, pi), ("Math", "E"): Lit(DOUBLE, e),
}  # fmt: skip


class Names(Conversions):
    """Lowers what stands for itself: literals, names, fields and elements."""

    # Literals

    def _decimal_integer_literal(self, node: Node) -> Expr:
        text = self.text(node).replace("_", "").lower()
        type_ = LONG if text.endswith("l") else INT
        digits = text.rstrip("l")
        base = 10
        if digits.startswith("0x"):
            base = 16
        elif digits.startswith("0b"):
            base = 2
        elif len(digits) > 1 and digits.startswith("0"):
            base = 8
        value = int(digits[2:] if base in (2, 16) else digits, base)
        value &= (1 << type_.bits) - 1
        if value >> (type_.bits - 1):
            value -= 1 << type_.bits
        return Lit(type_, value)

    _hex_integer_literal = _decimal_integer_literal

    _octal_integer_literal = _decimal_integer_literal

    _binary_integer_literal = _decimal_integer_literal

    def _decimal_floating_point_literal(self, node: Node) -> Expr:
        text = self.text(node).replace("_", "").lower()
        type_ = FLOAT if text.endswith("f") else DOUBLE
        return Lit(type_, float(text.rstrip("fd")))

    def _true(self, node: Node) -> Expr:
        return Lit(BOOL, node.type == "true")

    _false = _true

    def _null_literal(self, node: Node) -> Expr:
        return Lit(NULL, None)

    def _string_literal(self, node: Node) -> Expr:
        text = self.text(node)
        if text.startswith('"""'):  # the same as another literal, maybe: a string that nobody knows
            return OpaqueExpr(STRING, text, (), effects=False)
        return Lit(STRING, _spelt(text))

    def _character_literal(self, node: Node) -> Expr:
        text = self.text(node)[1:-1]
        if text.startswith("\\u"):
            return Lit(CHAR, int(text.lstrip("\\u"), 16))
        if text.startswith("\\"):
            if text[1:].isdigit():
                return Lit(CHAR, int(text[1:], 8))
            if text[1:] not in _ESCAPES:
                raise Unsupported("character literal")
            return Lit(CHAR, ord(_ESCAPES[text[1:]]))
        if len(text) != 1 or ord(text) > 0xFFFF:
            raise Unsupported("character literal")
        return Lit(CHAR, ord(text))

    # Names

    def _identifier(self, node: Node) -> Expr:
        name = self.text(node)
        local = self.scopes.find(name)
        if local is not None:
            return local
        return self.member(name)

    def member(self, name: str) -> Expr:
        """A field of this class, or of one that it extends or surrounds."""
        known = self.members.fields.get(name)
        if name in self.members.volatile:
            return _asked(name, known.type if known is not None else ANY, None)
        if known is None:
            if name in self.members.bare:
                return self._taken(name, self.members.bare[name])
            return Field(self._inherited(name), SCOPE, name, nullable=False)
        if known.constant is not None:
            return known.constant
        final = known.final and not self.constructor
        if known.static:
            place = Local(Type("ref", name="?"), f"static {known.owner}")
            return Field(known.type, place, name, final, nullable=False)
        if not known.own:
            return Field(known.type, SCOPE, name, final, nullable=False)
        return Field(known.type, THIS, name, final, nullable=False, resolved=True)

    def _inherited(self, name: str) -> Type:
        """The type of a field that a class above declares in another file."""
        if name not in self.members.inherited:
            return ANY
        self.taken.add(DECLARED)
        return self.members.inherited[name]

    def _taken(self, name: str, constant: Expr) -> Expr:
        self.taken.add(f"`{name}` is the constant that another file of the project declares")
        return constant

    def _this(self, node: Node) -> Expr:
        return THIS

    def _field_access(self, node: Node) -> Expr:
        name = self.text(self._part(node, "field"))
        receiver = self._part(node, "object")
        if receiver.type == "this":
            known = self.members.fields.get(name)
            if known is not None and known.own:
                return self.member(name)
            if name in self.members.volatile:
                return _asked(name, ANY, None)
            return Field(self._inherited(name), THIS, name, nullable=False)
        if receiver.type == "super" or self._is_class(receiver):
            if name == "class":
                return Lit(Type("ref", name="Class"), ("class", self.text(receiver)))
            owner = self.text(receiver)
            limit = _LIMITS.get((owner.removeprefix("java.lang."), name))
            if limit is not None and self.members.is_library(owner):
                return limit
            if name in self.members.enums.get(owner, ()):
                return Lit(named(owner), ("enum", owner, name))
            known = self.members.fields.get(name)
            if known is not None and known.static and known.owner == owner:
                return self.member(name)
            other = self.members.others.get(owner, {}).get(name)
            if other is not None:
                return self._taken(f"{owner}.{name}", other)
            if name in self.members.volatile:
                return _asked(name, ANY, None)
            place = Local(Type("ref", name="?"), f"static {owner}")
            read = Field(ANY, place, name, nullable=False)
            return read if receiver.type == "super" else self._awake(read, place, owner)
        inner = self.lower(receiver)
        if name == "length" and inner.type.name.endswith("[]"):
            return Length(INT, inner)
        if name in self.members.volatile:
            return _asked(name, ANY, inner)
        declared = self.members.classes.get(inner.type.name, {}).get(name)
        if declared is not None and not declared.static:
            final = declared.final and not self.constructor
            return Field(declared.type, inner, name, final, resolved=True)
        # A field of the class is there without an object, too.
        shared = name in self.members.statics or (name.isupper() and len(name) > 1)
        return Field(ANY, inner, name, nullable=not shared)

    def _is_class(self, node: Node) -> bool:
        """Whether a name before a dot is a type: nothing else is known by it."""
        if node.type == "identifier":
            name = self.text(node)
            return (
                name[:1].isupper()
                and self.scopes.find(name) is None
                and name not in self.members.fields
                and not (name.isupper() and len(name) > 1 and not self._is_type(name))
            )
        if node.type in ("field_access", "scoped_identifier"):
            words = self.text(node).split(".")
            return (
                self.scopes.find(words[0]) is None
                and words[-1][:1].isupper()
                and words[0][:1].islower()
                and words[0] in ("java", "javax", "org", "com")
            )
        return False

    def _awake(self, read: Field, place: Local, owner: str) -> Expr:
        """A field of another class: its initialiser has run by then, or runs now."""
        members = self.members
        if owner in members.eager and owner != members.own:
            return Call(ANY, f"static {owner}.{read.name}", None, ())
        known = owner.startswith(("java.", "javax.")) or (
            members.is_library(owner) and (owner in LANGUAGE or owner in PARENTS)
        )
        imported = any(
            each.endswith(f".{owner}") and each.startswith(("java.", "javax."))
            for each in members.imports
        )
        quiet = owner in members.declared or not members.complete
        if quiet or known or imported:
            return read
        runs = Field(BOOL, place, "$awake", nullable=False, resolved=True)
        return Then(ANY, Assign(BOOL, runs, Lit(BOOL, True)), read)

    def _is_type(self, name: str) -> bool:
        """Whether a name in capitals is a type for certain, and no field that is inherited."""
        members = self.members
        return members.complete and (
            not members.ancestors[1:]
            or name in members.declared
            or any(each.endswith(f".{name}") for each in members.imports)
        )

    def _method_reference(self, node: Node) -> Expr:
        of = node.children[0]
        type_ = of.type.endswith(("type", "type_identifier")) or self._is_class(of)
        # Any other object than this is computed now, and must be there.
        return self.opaque(node, effects=not type_ and of.type not in ("this", "super"))

    def _array_access(self, node: Node) -> Expr:
        array = self.lower(self._part(node, "array"))
        index = self.converted(self.lower(self._part(node, "index")), INT)
        return Element(element(array.type), array, index)


_NAMED = {"\n": "\\n", "\t": "\\t", "\b": "\\b", "\r": "\\r", "\f": "\\f", '"': '\\"', "\\": "\\\\"}


def _spelt(text: str) -> str:
    """A string literal as all literals with these characters are spelt: they are one object."""
    if "\\" not in text and text.isascii() and text.isprintable():
        return text
    found = _ESCAPED.sub(_character, text[1:-1])
    units = found.encode("utf-16-be", "surrogatepass")
    codes = [int.from_bytes(units[place : place + 2], "big") for place in range(0, len(units), 2)]
    plain = (chr(code) if 32 <= code < 127 else f"\\u{code:04x}" for code in codes)
    return (
        '"'
        + "".join(_NAMED.get(chr(code), each) for code, each in zip(codes, plain, strict=True))
        + '"'
    )


def _character(found: re.Match[str]) -> str:
    code, octal, letter = found.groups()
    if code is not None:
        if chr(int(code, 16)) in '\\"':  # read before all others: it may begin or end something
            raise Unsupported("string literal")
        return chr(int(code, 16))
    if octal is None and letter not in _ESCAPES:
        raise Unsupported("string literal")
    return chr(int(octal, 8)) if octal is not None else _ESCAPES[letter]


def _asked(name: str, type_: Type, receiver: Expr | None) -> Expr:
    """A volatile field is read as if by a call: another thread may have written anything before.

    It is no target, so a statement that writes one is not looked into.
    """
    return Call(type_, f"volatile {name}", receiver, ())
