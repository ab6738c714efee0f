"""Java source from recipes: values and calls, with the names they need."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

ESCAPES = {
    "\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f", '"': '\\"', "\\": "\\\\",
}  # fmt: skip
KEYWORDS = frozenset((
    "abstract", "assert", "boolean", "break", "byte", "case", "catch", "char", "class", "const",
    "continue", "default", "do", "double", "else", "enum", "extends", "final", "finally", "float",
    "for", "goto", "if", "implements", "import", "instanceof", "int", "interface", "long",
    "native", "new", "package", "private", "protected", "public", "return", "short", "static",
    "strictfp", "super", "switch", "synchronized", "this", "throw", "throws", "transient", "try",
    "void", "volatile", "while", "true", "false", "null", "var", "yield", "record",
))  # fmt: skip
LIMITS = {
    ("int", "2147483647"): "Integer.MAX_VALUE",
    ("int", "-2147483648"): "Integer.MIN_VALUE",
    ("long", "9223372036854775807"): "Long.MAX_VALUE",
    ("long", "-9223372036854775808"): "Long.MIN_VALUE",
}
BOXES = {
    "Byte": "byte", "Short": "short", "Integer": "int", "Long": "long", "Float": "float",
    "Double": "double", "Boolean": "boolean", "Character": "char",
}  # fmt: skip
PRIMITIVES = frozenset(BOXES.values())
HOLDERS = {"list": "ArrayList", "set": "HashSet"}
Recipe = Mapping[str, Any]


@dataclass
class Names:
    """The names that one test file uses: simple name -> full name."""

    package: str
    used: dict[str, str] = field(default_factory=dict)

    def name(self, full: str) -> str:
        """How a type is written here, imported if it has to be; `$` stands before an inner one."""
        base = full.rstrip("[]")
        brackets = full[len(base) :]
        if base in PRIMITIVES or base == "void":
            return full
        outermost, _, inner = base.partition("$")
        simple = outermost.rpartition(".")[2]
        rest = f".{inner.replace('$', '.')}" if inner else ""
        if self.used.setdefault(simple, outermost) != outermost:
            return f"{outermost}{rest}{brackets}"
        return f"{simple}{rest}{brackets}"

    def imports(self, text: str) -> list[str]:
        """The import lines that a text needs."""
        found = []
        for simple, full in self.used.items():
            package = full.rpartition(".")[0]
            here = package in ("java.lang", self.package, "")
            if not here and re.search(rf"(?<![\w.]){re.escape(simple)}(?!\w)", text):
                found.append(f"import {full};")
        return sorted(found)


@dataclass
class Script:
    """Source that grows: lines before the one that matters."""

    names: Names
    lines: list[str] = field(default_factory=list)
    variables: set[str] = field(default_factory=set)

    def variable(self, type_: str, value: str, wanted: str = "") -> str:
        """A new variable with a value."""
        shown = self.names.name(type_)
        wanted = wanted or _variable_name(shown)
        name, number = wanted, 2
        while name in self.variables:
            name, number = f"{wanted}{number}", number + 1
        self.variables.add(name)
        self.lines.append(f"{shown} {name} = {value};")
        return name

    def value(self, recipe: Recipe, boxed: bool = False) -> str:
        """An expression for a recipe."""
        if "lit" in recipe:
            return self._literal(recipe, boxed)
        if "array" in recipe:
            return self._array(recipe)
        if "items of" in recipe:
            return self._items(recipe)
        if "field" in recipe:
            return f"{self.names.name(recipe['field'])}.{recipe['name']}"
        if "class" in recipe:
            return f"{self.names.name(recipe['class'])}.class"
        if "lambda" in recipe:
            return self._lambda(recipe)
        if "grown" in recipe:
            return self._grown(recipe, "")
        return self.call(recipe, self.value(recipe["on"]) if "on" in recipe else "")

    def _literal(self, recipe: Recipe, boxed: bool) -> str:
        simple = recipe["lit"].removeprefix("java.lang.")
        if "v" not in recipe:
            return "null"
        if simple == "String":
            return quoted(recipe["v"])
        text = number(BOXES.get(simple, simple), recipe["v"])
        if not boxed or simple not in BOXES:
            return text
        return f"Boolean.{text.upper()}" if simple == "Boolean" else f"{simple}.valueOf({text})"

    def _array(self, recipe: Recipe) -> str:
        shown = self.names.name(recipe["array"])
        if not recipe["items"]:
            base = shown.rstrip("[]")
            return f"new {base}[0]{shown[len(base) :]}"
        items = ", ".join(self.value(item) for item in recipe["items"])
        return f"new {shown}[] {{{items}}}"

    def _items(self, recipe: Recipe) -> str:
        kind, items = recipe["items of"], [self.value(item) for item in recipe["items"]]
        if kind == "map":
            self.names.name("java.util.Map")
            name = self.variable("java.util.Map", f"new {self.names.name('java.util.HashMap')}()")
            pairs = zip(items[::2], items[1::2], strict=True)
            self.lines += [f"{name}.put({key}, {value});" for key, value in pairs]
            return name
        holder = self.names.name(f"java.util.{HOLDERS[kind]}")
        return f"new {holder}<>({self._as_list(items) if items else ''})"

    def _as_list(self, items: Sequence[str]) -> str:
        alone = items[0] == "null" and len(items) == 1
        text = "(Object) null" if alone else ", ".join(items)
        return f"{self.names.name('java.util.Arrays')}.asList({text})"

    def expected(self, recipe: Recipe) -> str:
        """What an assertion compares with."""
        if recipe.get("items of") == "list":
            return self._as_list([self.value(item) for item in recipe["items"]] or [""])
        return self.value(recipe, boxed=True)

    def _lambda(self, recipe: Recipe) -> str:
        names = "abcdefgh"[: recipe["arity"]]
        left = names if len(names) == 1 else f"({', '.join(names)})"
        return f"{left} -> {self.value(recipe['result']) if 'result' in recipe else '{}'}"

    def _grown(self, recipe: Recipe, wanted: str) -> str:
        name = self.variable(recipe["type"], self.value(recipe["grown"]), wanted)
        for step in recipe["then"]:
            text = self.call(step, name)
            self.lines.append(f"{text};")
        return name

    def receiver(self, recipe: Recipe, type_: str, kept: bool) -> str:
        """The object that a method is called on: in a variable where it is looked at later."""
        if "grown" in recipe:
            return self._grown(recipe, "")
        text = self.value(recipe)
        return self.variable(recipe.get("new", type_), text) if kept else text

    def call(self, call: Recipe, receiver: str) -> str:
        """A call; the receiver is an expression, or nothing where there is none."""
        given = []
        for type_, part in zip(call["types"], call["args"], strict=True):
            text = part["variable"] if "variable" in part else self.value(part)
            if call["overloaded"] and "variable" not in part and _is_vague(type_, part):
                text = f"({self.names.name(type_)}) {text}"
            given.append(text)
        arguments = f"({', '.join(given)})"
        if "new" in call:
            return f"new {self.names.name(call['new'])}{arguments}"
        return f"{receiver or self.names.name(call['call'])}.{call['name']}{arguments}"


def _is_vague(type_: str, part: Recipe) -> bool:
    """Whether an expression could mean another overload."""
    if "lit" in part:
        return part["lit"] != type_ or "v" not in part
    made = part.get("new", part.get("field", f"{part.get('array', '')}[]"))
    return bool(made != type_)


def _variable_name(type_: str) -> str:
    base = type_.rstrip("[]").rpartition(".")[2]
    if base == "String":
        base = "text"
    name = re.sub(r"^[A-Z]+(?=[A-Z][a-z]|\d|$)|^[A-Z]", lambda match: match[0].lower(), base)
    name += "s" * ("[" in type_)
    return f"{name}Value" if name in KEYWORDS else name


def number(type_: str, text: str) -> str:
    """A number, a truth value or a character as Java writes it."""
    if (type_, text) in LIMITS:
        return LIMITS[type_, text]
    match type_:
        case "char":
            return character(int(text))
        case "byte" | "short":
            return f"({type_}) {text}"
        case "long":
            return f"{text}L"
        case "float" | "double":
            box = type_.capitalize()
            special = {"NaN": "NaN", "Infinity": "POSITIVE_INFINITY",
                       "-Infinity": "NEGATIVE_INFINITY"}.get(text)  # fmt: skip
            return f"{box}.{special}" if special else text + "f" * (type_ == "float")
    return text


def _escaped(code: int) -> str:
    shown = chr(code)
    if shown in ESCAPES:
        return ESCAPES[shown]
    if 32 <= code < 127:
        return shown
    # An escape like \u000a would end the line: the compiler reads it before anything else.
    return f"\\{code:03o}" if code < 32 else f"\\u{code:04x}"


def character(code: int) -> str:
    """A character literal."""
    text = "\\'" if code == ord("'") else '"' if code == ord('"') else _escaped(code)
    return f"'{text}'"


def quoted(text: str) -> str:
    """A string literal."""
    units = text.encode("utf-16-be", "surrogatepass")
    codes = [int.from_bytes(units[at : at + 2], "big") for at in range(0, len(units), 2)]
    return '"' + "".join(map(_escaped, codes)) + '"'


def call_text(call: Recipe) -> str:
    """A call on one line, for people."""
    script = Script(Names(""))
    receiver = script.receiver(call["on"], call["call"], False) if "on" in call else ""
    text = script.call(call, receiver)
    return " ".join([*script.lines, text])
