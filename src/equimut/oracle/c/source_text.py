"""C source from recipes: literals, values and calls."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from equimut.oracle.c.debug_info import CFunction, CType
from equimut.oracle.c.glue import Glue, Recipe, members_of
from equimut.oracle.c.making import zero

INDENT = "    "
ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
KEYWORDS = frozenset((
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else",
    "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long", "register",
    "restrict", "return", "short", "signed", "sizeof", "static", "struct", "switch", "typedef",
    "union", "unsigned", "void", "volatile", "while", "result", "printed", "main", "assert",
))  # fmt: skip


def quoted(text: str) -> str:
    """A string literal of bytes, given as Latin-1 characters."""
    parts = ['"']
    broken = False
    for letter in text:
        if letter in ESCAPES:
            part, after = ESCAPES[letter], False
        elif " " <= letter <= "~":
            # A digit after an escape would belong to it; "??" may begin a trigraph.
            part = f'""{letter}' if broken and letter in "0123456789abcdefABCDEF" else letter
            part, after = ("\\?" if letter == "?" else part), False
        else:
            part, after = f"\\x{ord(letter):02x}", True
        parts.append(part)
        broken = after
    return "".join([*parts, '"'])


def character(code: int) -> str:
    """A character constant."""
    letter = chr(code)
    return f"'\\{letter}'" if letter in "'\\" else f"'{letter}'"


def integer(value: int) -> str:
    """A literal of a whole number that means the same in every expression."""
    if value == -(2**63):
        return "(-9223372036854775807LL - 1)"
    if value > 2**63 - 1:
        return f"{value}ULL"
    if not -(2**31) < value < 2**31:
        return f"{value}LL"
    return str(value)


def real(text: str, single: bool) -> str:
    """A literal of a floating-point number."""
    low = text.lower()
    if "nan" in low:
        return "NAN"
    if "inf" in low:
        return "-INFINITY" if low.startswith("-") else "INFINITY"
    whole = text if re.search(r"[.e]", low) else f"{text}.0"
    return f"{whole}f" if single else whole


def spell(type_: CType) -> str:
    """The type as a declaration writes it, up to the name; empty if it cannot be written so."""
    if type_.kind == "pointer" and not type_.name:
        target = type_.pointee
        if target.kind == "function":
            return ""
        inner = spell(target)
        const = "const " if target.const and not inner.startswith("const ") else ""
        return f"{const}{inner}*" if inner else ""
    return f"{type_.name} " if type_.name else ""


def made_order(
    glue: Glue, named: Sequence[tuple[str, CType]], row: Sequence[Recipe]
) -> list[Recipe]:
    """The recipes of memory in the order in which the harness makes them."""
    return [each for (_, type_), part in zip(named, row, strict=True)
            for each in _made(glue, type_, part)]  # fmt: skip


def _made(glue: Glue, type_: CType, recipe: Recipe) -> Iterator[Recipe]:
    match recipe:
        case {"text": _} | {"bytes": _}:
            yield recipe
        case {"array": items}:
            yield recipe
            for each in items:
                yield from _made(glue, type_.pointee, each)
        case {"made": name} | {"init": name}:
            first = 0 if "made" in recipe else 1
            if first:
                yield recipe
            named = glue.functions[glue.numbers[name]].parameters
            yield from made_order(glue, named[first:], recipe["args"])
            for title, row in recipe["then"]:
                named = glue.functions[glue.numbers[title]].parameters
                yield from made_order(glue, named[1:], row)
        case list() if type_.kind in ("struct", "union"):
            for member, part in zip(members_of(type_), recipe, strict=True):
                yield from _made(glue, member.type, part)
        case list():
            for part in recipe:
                yield from _made(glue, type_.pointee, part)


@dataclass
class Script:
    """Statements that make values, and expressions for them."""

    glue: Glue
    heap: frozenset[int] = frozenset()
    """Recipes (by identity) whose memory is given away: it must come from the heap."""
    lines: list[str] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)
    objects: dict[str, str] = field(default_factory=dict)
    """Expression for a pointer -> the variable that it is the address of."""
    inline: bool = False
    """Everything in one expression, for people to read."""

    def name(self, wish: str) -> str:
        """A name that is free."""
        base = re.sub(r"\W", "_", wish).strip("_") or "value"
        base = f"{base}_" if base in KEYWORDS or base in self.known else base
        name, number = base, 2
        while name in self.taken:
            name, number = f"{base}{number}", number + 1
        self.taken.add(name)
        return name

    @property
    def known(self) -> set[str]:
        """Names of the file that a variable must not hide."""
        return {each.name for each in self.glue.file.functions} | {
            name for name, _ in self.glue.file.variables
        }

    def arguments(
        self, named: Sequence[tuple[str, CType]], row: Sequence[Recipe], kept: Sequence[int] = ()
    ) -> list[str]:
        """Expressions for arguments; those in `kept` are variables, to be looked at later."""
        return [
            self.value(type_, part, name or f"argument{place}", place in kept)
            for place, ((name, type_), part) in enumerate(zip(named, row, strict=True))
        ]

    def value(self, type_: CType, recipe: Recipe, wish: str, kept: bool = False) -> str:
        """An expression for a value."""
        match type_.kind:
            case "float":
                return real(f"{recipe:.9g}" if type_.size == 4 else repr(recipe), type_.size == 4)
            case "pointer":
                return self._pointer(type_, recipe, wish, kept)
            case "struct" | "union" if self.inline:
                return self._initialiser(type_, recipe, wish)
            case "struct" | "union":
                name = self.name(wish)
                self.lines.append(
                    f"{spell(type_)}{name} = {self._initialiser(type_, recipe, wish)};"
                )
                return name
            case "char" if 32 <= recipe < 127:
                return character(recipe)
            case "enum":
                names = [name for name, value in type_.values.items() if value == recipe]
                return names[0] if names else integer(int(recipe))
        return integer(int(recipe))

    def _initialiser(self, type_: CType, recipe: Recipe, wish: str) -> str:
        match type_.kind:
            case "struct" | "union":
                parts = []
                for member, part in zip(members_of(type_), recipe, strict=True):
                    if part != zero(member.type):
                        value = self._initialiser(member.type, part, member.name)
                        parts.append(f".{member.name} = {value}")
                return f"{{{', '.join(parts)}}}" if parts else "{0}"
            case "array":
                return f"{{{', '.join(self._items(type_.pointee, recipe, wish))}}}"
        return self.value(type_, recipe, wish)

    def _items(self, type_: CType, items: Sequence[Recipe], wish: str) -> list[str]:
        parts = [self._initialiser(type_, each, wish) for each in items]
        while len(parts) > 1 and parts[-1] in ("0", "0.0", "NULL", "{0}") and type_.kind != "char":
            if parts[-2] != parts[-1]:
                break
            parts.pop()
        return parts

    def _pointer(self, type_: CType, recipe: Recipe, wish: str, kept: bool) -> str:
        match recipe:
            case None:
                return "NULL"
            case {"function": name}:
                return str(name)
            case {"file": text}:
                return self._file(text, wish)
            case {"text": text, "room": room}:
                return self._characters(type_, recipe, text, len(text) + 1 + room, wish, kept)
            case {"bytes": text}:
                return self._characters(type_, recipe, text, len(text), wish, kept)
            case {"array": items}:
                return self._array(type_.pointee, recipe, items, wish)
        return self._object(type_.pointee, recipe, wish)

    def _file(self, text: str, wish: str) -> str:
        if self.inline:
            return f"file({quoted(text)})"
        name = self.name(wish)
        self.lines.append(f"FILE *{name} = tmpfile();")
        if text:
            self.lines += [f"fputs({quoted(text)}, {name});", f"rewind({name});"]
        return name

    def _characters(
        self, type_: CType, recipe: Recipe, text: str, size: int, wish: str, kept: bool
    ) -> str:
        target = type_.pointee
        cast = "" if target.name == "char" or target.kind == "void" else f"({spell(type_)})"
        if self.inline or (target.const and not kept and id(recipe) not in self.heap):
            return f"{cast}{quoted(text)}"
        item = target.name if target.kind == "char" else "char"
        name = self.name(wish)
        if id(recipe) in self.heap:
            self.lines.append(f"{item} *{name} = calloc({max(size, 1)}, 1);")
            self.lines.append(f"memcpy({name}, {quoted(text)}, {len(text)});")
        elif size == len(text) + 1:
            self.lines.append(f"{item} {name}[] = {quoted(text)};")
        else:
            self.lines.append(f"{item} {name}[{max(size, 1)}] = {quoted(text)};")
        return name

    def _array(self, item: CType, recipe: Recipe, items: Sequence[Recipe], wish: str) -> str:
        if self.inline:
            parts = ", ".join(self._items(item, items, wish))
            return (
                f"&{parts}"
                if len(items) == 1 and item.kind in ("struct", "union")
                else f"{{{parts}}}"
            )
        name = self.name(wish)
        if id(recipe) in self.heap:
            literal = f"({spell(item).strip()}[]){{{', '.join(self._items(item, items, wish))}}}"
            self.lines.append(
                f"{spell(item)}*{name} = malloc(sizeof *{name} * {max(len(items), 1)});"
            )
            self.lines.append(f"memcpy({name}, {literal}, sizeof *{name} * {len(items)});")
            return name
        if len(items) == 1:
            value = self._initialiser(item, items[0], wish)
            self.lines.append(f"{spell(item)}{name} = {value};")
            self.objects[f"&{name}"] = name
            return f"&{name}"
        values = ", ".join(self._items(item, items, wish)) or "0"
        self.lines.append(f"{spell(item)}{name}[{max(len(items), 1)}] = {{{values}}};")
        return name

    def _object(self, target: CType, recipe: Recipe, wish: str) -> str:
        made = "made" in recipe
        title = recipe["made" if made else "init"]
        named = self.glue.functions[self.glue.numbers[title]].parameters
        arguments = self.arguments(named[0 if made else 1 :], recipe["args"])
        if self.inline:
            return f"{title}({', '.join(arguments if made else ['...', *arguments])})"
        name = self.name(wish)
        if made:
            self.lines.append(f"{spell(target)}*{name} = {title}({', '.join(arguments)});")
            pointer = name
        elif id(recipe) in self.heap:
            self.lines.append(f"{spell(target)}*{name} = calloc(1, sizeof *{name});")
            pointer = name
            self.lines.append(f"{title}({', '.join([pointer, *arguments])});")
        else:
            self.lines.append(f"{spell(target)}{name} = {{0}};")
            pointer = f"&{name}"
            self.objects[pointer] = name
            self.lines.append(f"{title}({', '.join([pointer, *arguments])});")
        for other, row in recipe["then"]:
            named = self.glue.functions[self.glue.numbers[other]].parameters
            parts = [pointer, *self.arguments(named[1:], row)]
            self.lines.append(f"{other}({', '.join(parts)});")
        return pointer


def call_text(glue: Glue, function: CFunction, row: Sequence[Recipe]) -> str:
    """A call in one line."""
    script = Script(glue, inline=True)
    return f"{function.name}({', '.join(script.arguments(function.parameters, row))})"
