"""C source from recipes: values, calls and whole tests."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from equimut.oracle.c.debug_info import CFunction, CType
from equimut.oracle.c.glue import Glue, Recipe, members_of
from equimut.oracle.c.making import zero
from equimut.oracle.choosing import Facet

INDENT = "    "
LONGEST_NAME = 60
ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
KEYWORDS = frozenset((
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else",
    "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long", "register",
    "restrict", "return", "short", "signed", "sizeof", "static", "struct", "switch", "typedef",
    "union", "unsigned", "void", "volatile", "while", "result", "printed", "main", "assert",
))  # fmt: skip
CAPTURED = {"output": ("stdout", "printed"), "errors": ("stderr", "complaint")}


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
    """The type as a declaration writes it, with a blank or a star at its end; empty if it cannot."""
    if type_.kind == "pointer" and not type_.name:
        target = type_.pointee
        if target.kind == "function":
            return ""
        inner = spell(target)
        const = "const " if target.const and not inner.startswith("const ") else ""
        return f"{const}{inner}*" if inner else ""
    return f"{type_.name} " if type_.name else ""


def made_order(glue: Glue, named: Sequence[tuple[str, CType]], row: Sequence[Recipe]) -> list[Recipe]:
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
                self.lines.append(f"{spell(type_)}{name} = {self._initialiser(type_, recipe, wish)};")
                return name
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
            return f"&{parts}" if len(items) == 1 and item.kind in ("struct", "union") else f"{{{parts}}}"
        name = self.name(wish)
        if id(recipe) in self.heap:
            literal = f"({spell(item).strip()}[]){{{', '.join(self._items(item, items, wish))}}}"
            self.lines.append(f"{spell(item)}*{name} = malloc(sizeof *{name} * {max(len(items), 1)});")
            self.lines.append(f"memcpy({name}, {literal}, sizeof *{name} * {len(items)});")
            return name
        if len(items) == 1:
            value = self._initialiser(item, items[0], wish)
            self.lines.append(f"{spell(item)}{name} = {value};")
            self.objects[f"&{name}"] = name
            return f"&{name}"
        parts = self._items(item, items, wish)
        self.lines.append(f"{spell(item)}{name}[{max(len(items), 1)}] = {{{', '.join(parts) or 0}}};")
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


@dataclass(frozen=True)
class CallToTest:
    """A call, and what a test says of it."""

    function: CFunction
    row: Sequence[Recipe]
    freed: frozenset[int]
    facets: Mapping[Facet, tuple[str, str]]


def test_source(glue: Glue, call: CallToTest, needed: Sequence[Facet]) -> tuple[str, str]:
    """Name and text of a test."""
    order = made_order(glue, call.function.parameters, call.row)
    heap = frozenset(id(each) for at, each in enumerate(order) if at in call.freed)
    script = Script(glue, heap)
    places = [int(subject.split()[1]) for subject, _ in needed if subject.startswith("argument")]
    places += [
        int(call.facets[facet][1].split()[0]) for facet in needed if call.facets[facet][0] == "@"
    ]
    arguments = script.arguments(call.function.parameters, call.row, places)
    expression = f"{call.function.name}({', '.join(arguments)})"
    streams = [subject for subject, _ in needed if subject in CAPTURED]
    about_result = [facet for facet in needed if facet[0] == "result"]
    asserts = []
    simple = len(about_result) == 1 and about_result[0][1] == "{}" and not streams
    for facet in needed:
        kind, text = call.facets[facet]
        subject = facet[0]
        if subject in CAPTURED:
            asserts.append(f"assert(strcmp({CAPTURED[subject][1]}, {quoted(text)}) == 0);")
            continue
        place = int(subject.split()[1]) if subject.startswith("argument") else -1
        base = arguments[place] if place >= 0 else expression if simple else "result"
        left = _look(facet[1], base, script.objects)
        asserts += [_assertion(glue, left, kind, text, arguments)]
    if not about_result or not simple:
        lines = [f"{expression};"]
        if about_result:
            lines = [f"{spell(call.function.result) or '__auto_type '}result = {expression};"]
        for subject in streams:
            stream, name = CAPTURED[subject]
            lines = [f"FILE *kept_{stream} = {stream};", f"char *{name} = NULL;",
                     f"size_t {name}_size = 0;", f"{stream} = open_memstream(&{name}, &{name}_size);",
                     *lines, f"fclose({stream});", f"{stream} = kept_{stream};"]  # fmt: skip
        asserts = [*lines, *asserts]
    name = _title(call, needed)
    body = "".join(f"{INDENT}{line}\n" for line in [*script.lines, *asserts])
    return name, f"static void {name}(void) {{\n{body}}}\n"


def _look(template: str, base: str, objects: Mapping[str, str]) -> str:
    """The expression of a facet."""
    if base in objects:
        name = objects[base]
        for before, after in (("{}->", f"{name}."), ("{}[0]", name)):
            if template.startswith(before):
                return after + template[len(before) :]
        base = f"({base})"
    return template.replace("{}", base)


def _assertion(glue: Glue, left: str, kind: str, text: str, arguments: Sequence[str]) -> str:
    match kind:
        case "n":
            return f"assert({left} == {integer(int(text))});"
        case "d" | "e":
            value = real(text, kind == "e")
            return f"assert(isnan({left}));" if value == "NAN" else f"assert({left} == {value});"
        case "s":
            return f"assert(strcmp((const char *){left}, {quoted(text)}) == 0);"
        case "0":
            return f"assert({left} == NULL);"
        case "*":
            return f"assert({left} != NULL);"
        case "&":
            return f"assert({left} == {glue.functions[int(text)].name});"
    place, offset = map(int, text.split())
    base = f"(const char *){arguments[place]}"
    return f"assert((const char *){left} == {base}{f' + {offset}' if offset else ''});"


def _title(call: CallToTest, needed: Sequence[Facet]) -> str:
    """A name that says what the test is about."""
    words = ["test", call.function.name]
    if needed:
        subject, template = needed[0]
        kind, text = call.facets[needed[0]]
        if subject == "result" and template == "{}":
            words += ["returns", _said(kind, text)]
        elif subject.startswith("argument"):
            place = int(subject.split()[1])
            words += ["sets", call.function.parameters[place][0], _member(template)]
        elif subject == "global":
            words += ["sets", template]
        elif subject in CAPTURED:
            words.append("prints" if subject == "output" else "complains")
        else:
            words += ["returns", _member(template)]
    name = re.sub(r"_+", "_", re.sub(r"\W", "_", "_".join(words))).strip("_")
    return name[:LONGEST_NAME].rstrip("_")


def _said(kind: str, text: str) -> str:
    match kind:
        case "0":
            return "null"
        case "*":
            return "an_object"
        case "s":
            return re.sub(r"\W+", "_", text[:20], flags=re.ASCII) or "text"
        case "@":
            return "its_argument"
    return text.replace("-", "minus_")


def _member(template: str) -> str:
    """The part of something that an expression looks at."""
    return re.sub(r"\W+", "_", template.replace("{}", ""))
