"""Functions, variables and types of a C file, from the debug information of its compiler."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

Kind = Literal["int", "float", "char", "bool", "enum", "pointer", "struct", "union", "array",
               "function", "void", "opaque"]  # fmt: skip
ENTRY = re.compile(r"^ *<(\d+)><([0-9a-f]+)>: Abbrev Number: \d+(?: \((DW_TAG_\w+)\))?")
ATTRIBUTE = re.compile(r"^ *<[0-9a-f]+> +DW_AT_(\w+) *: (.*)$")
FORM = re.compile(r"^(?:\([^)]*\)\s*)*:?\s*")
CHARACTERS = ("char", "signed char", "unsigned char")
WRAPPERS = ("const_type", "volatile_type", "restrict_type", "typedef", "atomic_type")
PLAIN_ENCODINGS = {"2": "bool", "4": "float", "5": "int", "6": "char", "7": "int", "8": "char"}
LARGEST_FLOAT = 8
HERE = "equimut_here"
"""A variable that says which file is the one asked about: headers define things, too."""
DEEPEST = 6
"""Names and qualifiers around one type."""


@dataclass(frozen=True)
class Field:
    """A member of a structure; `bits` and `first_bit` where it is a bit-field."""

    name: str
    type: "CType"
    offset: int
    bits: int = 0
    first_bit: int = 0


@dataclass(eq=False)
class CType:
    """A type with its layout; types that refer to themselves are filled in after they are made."""

    kind: Kind
    size: int = 0
    name: str = ""
    """As it is written in C; empty where it has no name."""
    signed: bool = False
    const: bool = False
    target: "CType | None" = None
    """Of a pointer or an array."""
    count: int = 0
    """Elements of an array."""
    fields: tuple[Field, ...] = ()
    values: Mapping[str, int] = field(default_factory=dict)
    """Of an enumeration."""
    parameters: "tuple[CType, ...]" = ()
    result: "CType | None" = None
    shape: str = ""
    """Of a function: what tells its type from others."""

    @property
    def pointee(self) -> "CType":
        """What a pointer points to, or an array has."""
        assert self.target is not None
        return self.target


@dataclass(frozen=True)
class CFunction:
    """A function that the file defines."""

    name: str
    line: int
    parameters: tuple[tuple[str, CType], ...]
    result: CType
    static: bool
    trouble: str = ""
    """Why it cannot be called."""
    shape: str = ""


@dataclass(frozen=True)
class CFile:
    """What a file defines, in its order."""

    functions: tuple[CFunction, ...]
    variables: tuple[tuple[str, CType], ...]

    def function_at(self, line: int) -> CFunction | None:
        """The function around a line: the last one that begins before it."""
        before = [each for each in self.functions if each.line <= line]
        return max(before, key=lambda each: each.line, default=None)


@dataclass
class _Entry:
    tag: str
    level: int
    attributes: dict[str, str] = field(default_factory=dict)
    children: "list[_Entry]" = field(default_factory=list)

    def number(self, name: str, otherwise: int = 0) -> int:
        text = self.attributes.get(name, "").split("\t")[0].split(" ")[0]
        try:
            return int(text, 0)
        except ValueError:
            return otherwise

    @property
    def name(self) -> str:
        return self.attributes.get("name", "").strip()

    @property
    def type(self) -> int | None:
        found = re.match(r"<(?:0x)?([0-9a-f]+)>", self.attributes.get("type", ""))
        return int(found[1], 16) if found else None


def _entries(lines: Iterable[str]) -> Iterator[tuple[int, _Entry]]:
    current: _Entry | None = None
    for line in lines:
        found = ENTRY.match(line)
        if found:
            tag = (found[3] or "").removeprefix("DW_TAG_")
            current = _Entry(tag, int(found[1]))
            yield int(found[2], 16), current
        elif current is not None and (attribute := ATTRIBUTE.match(line)):
            current.attributes[attribute[1]] = FORM.sub("", attribute[2])


def read_debug_info(text: str) -> CFile:
    """Read the output of `readelf --debug-dump=info` on a file that also defines `HERE`."""
    entries = dict(_entries(text.splitlines()))
    above: list[_Entry] = []
    for entry in entries.values():
        del above[entry.level :]
        if above and entry.tag:
            above[-1].children.append(entry)
        above.append(entry)
    types = _Types(entries)
    units = [entry for entry in entries.values() if entry.tag == "compile_unit"]
    tops = [child for unit in units for child in unit.children]
    here = {top.number("decl_file") for top in tops if top.name == HERE}
    own = [top for top in tops if top.number("decl_file") in here and top.name not in ("", HERE)]
    functions = [types.function(top) for top in own if _is_defined(top, "subprogram")]
    variables = [
        (top.name, types.of(top.type)) for top in own if _is_defined(top, "variable")
    ]  # fmt: skip
    types.complete()
    return CFile(tuple(sorted(functions, key=lambda each: each.line)), tuple(variables))


def _is_defined(entry: _Entry, tag: str) -> bool:
    placed = "low_pc" in entry.attributes or "location" in entry.attributes
    return entry.tag == tag and placed and "declaration" not in entry.attributes


class _Types:
    """Types by their place in the debug information."""

    def __init__(self, entries: Mapping[int, _Entry]) -> None:
        self._entries = entries
        self._made: dict[int, CType] = {}
        self._copies: list[tuple[CType, CType]] = []

    def of(self, place: int | None) -> CType:
        """The type at a place; `void` where there is none."""
        if place is None:
            return CType("void", name="void")
        if place not in self._made:
            entry = self._entries[place]
            if entry.tag in WRAPPERS:
                self._made[place] = self._wrapped(entry)
            else:
                self._made[place] = CType("opaque")
                self._fill(self._made[place], entry)
        return self._made[place]

    def _wrapped(self, entry: _Entry) -> CType:
        inner = self.of(entry.type)
        copy = CType(inner.kind, name=entry.name or inner.name)
        copy.const = inner.const or entry.tag == "const_type"
        self._copies.append((copy, inner))
        _take(copy, inner)
        return copy

    def complete(self) -> None:
        """Tell wrapped types what their inner types have become: a type may refer to itself."""
        for _ in range(DEEPEST):
            for copy, inner in self._copies:
                _take(copy, inner)

    def _fill(self, made: CType, entry: _Entry) -> None:
        made.size = entry.number("byte_size")
        match entry.tag:
            case "base_type":
                self._fill_base(made, entry)
            case "pointer_type":
                made.kind, made.size, made.target = "pointer", 8, self.of(entry.type)
                made.shape = made.target.shape
            case "enumeration_type":
                made.kind = "enum"
                made.values = {each.name: each.number("const_value") for each in entry.children}
                made.signed = any(value < 0 for value in made.values.values())
                made.name = f"enum {entry.name}" if entry.name else ""
            case "structure_type" | "union_type":
                word = "struct" if entry.tag == "structure_type" else "union"
                made.name = f"{word} {entry.name}" if entry.name else ""
                if "declaration" not in entry.attributes and made.size:
                    made.kind = "struct" if word == "struct" else "union"
                    members = [each for each in entry.children if each.tag == "member"]
                    made.fields = tuple(each for member in members for each in self._field(member))
            case "array_type":
                self._fill_array(made, entry)
            case "subroutine_type":
                made.kind, made.size = "function", 0
                made.parameters = tuple(self.of(each.type) for each in _formal(entry))
                made.result = self.of(entry.type)
                made.shape = _shape(made.result, made.parameters)

    def _fill_base(self, made: CType, entry: _Entry) -> None:
        encoding = entry.attributes.get("encoding", "").split("\t")[0]
        kind = PLAIN_ENCODINGS.get(encoding)
        made.name = entry.name
        if kind is None or made.size > LARGEST_FLOAT:
            return
        made.signed = encoding in ("5", "6")
        made.kind = kind  # type: ignore[assignment]

    def _fill_array(self, made: CType, entry: _Entry) -> None:
        item = self.of(entry.type)
        for part in reversed([each for each in entry.children if each.tag == "subrange_type"]):
            count = part.number("count", part.number("upper_bound", -1) + 1)
            item = CType("array", item.size * count, target=item, count=count, const=item.const)
        made.kind, made.size, made.target = "array", item.size, item.target
        made.count, made.const = item.count, item.const

    def _field(self, entry: _Entry) -> list[Field]:
        type_, offset = self.of(entry.type), entry.number("data_member_location")
        bits, first = entry.number("bit_size"), entry.number("data_bit_offset")
        if entry.name:
            return [Field(entry.name, type_, offset, bits, first)]
        # Members without a name lend their own members to what is around them.
        inner = type_.fields if type_.kind == "struct" else type_.fields[:1]
        return [replace(each, offset=offset + each.offset) for each in inner if not each.bits]

    def function(self, entry: _Entry) -> CFunction:
        """A function of the file."""
        parameters = tuple((each.name, self.of(each.type)) for each in _formal(entry))
        trouble = ""
        if any(each.tag == "unspecified_parameters" for each in entry.children):
            trouble = "it takes variable arguments"
        result = self.of(entry.type)
        shape = _shape(result, [type_ for _, type_ in parameters])
        static = "external" not in entry.attributes
        return CFunction(
            entry.name, entry.number("decl_line"), parameters, result, static, trouble, shape
        )


def _take(copy: CType, inner: CType) -> None:
    for name in CType.__dataclass_fields__:
        if name not in ("name", "const"):
            setattr(copy, name, getattr(inner, name))


def _formal(entry: _Entry) -> list[_Entry]:
    return [each for each in entry.children if each.tag == "formal_parameter"]


def _shape(result: CType, parameters: Iterable[CType]) -> str:
    return f"{_mark(result)}({','.join(map(_mark, parameters))})"


def _mark(type_: CType) -> str:
    stars = ""
    while type_.kind == "pointer" and type_.target is not None:
        type_, stars = type_.target, stars + "*"
    plain = type_.kind in ("int", "char", "float", "bool", "enum")
    return (
        f"{type_.kind}{type_.size}{type_.signed}" if plain else type_.name or type_.kind
    ) + stars
