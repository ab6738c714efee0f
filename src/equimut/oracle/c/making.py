"""Makes and varies arguments for C functions of a project."""

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

from equimut.oracle.c.debug_info import CFunction, CType
from equimut.oracle.c.glue import Glue, Recipe, is_file, members_of
from equimut.oracle.c.signature import LENGTH_NAME
from equimut.oracle.inputs.drawing import Drawer
from equimut.oracle.inputs.values import in_range, small_values
from equimut.oracle.inputs.vocabulary import Vocabulary
from equimut.oracle.signature import ValueType, integer

DEEPEST = 3
ROOM = 64
SMALL = 12
MOST_ELEMENTS = 8
STARTS = re.compile(r"init|start|setup|reset|clear|create|open", re.I)
ENDS = re.compile(r"free|delete|destroy|fini|close|release|dispose|del(?:ete)?$", re.I)
SCRIPTS = "éßÄñΩΣжשع\u0301\u0308\u00ad\u200d\u2028한각각漢ｶ\U0001f600\U0001f1e9\U0001f3fd\ufffd"
"""Letters of two to four bytes: composed, combining, joining, wide, with and without case."""
SCALARS = ("int", "char", "bool", "enum", "float")
Named = Sequence[tuple[str, CType]]


def value_type(type_: CType) -> ValueType:
    """A scalar type as the drawer of values knows it."""
    if type_.kind == "float":
        return ValueType("float", size=type_.size)
    if type_.kind == "bool":
        return ValueType("bool", size=1)
    return integer(8 * type_.size, type_.signed)


def lengths_of(named: Named) -> dict[int, int]:
    """Which parameter (or member) holds the length of which pointer: place -> place."""
    found = {}
    for place, (_, type_) in enumerate(named):
        if type_.kind != "pointer" or type_.pointee.kind not in (*SCALARS, "void", "struct"):
            continue
        for later in range(place + 1, len(named)):
            name, other = named[later]
            if other.kind == "pointer":
                continue
            if other.kind == "int" and LENGTH_NAME.search(name):
                found[place] = later
            break
    return found


def size_of(recipe: Recipe) -> int | None:
    """How many elements a pointer has behind it, where it was made with a number of them."""
    match recipe:
        case {"array": items}:
            return len(items)
        case {"text": text, "room": room}:
            return len(text) + (room or 0)
        case {"bytes": text}:
            return len(text)
    return None


def zero(type_: CType) -> Recipe:
    """The value that zeroed memory holds."""
    match type_.kind:
        case "float":
            return 0.0
        case "pointer":
            return None
        case "array":
            return [zero(type_.pointee) for _ in range(type_.count)]
        case "struct" | "union":
            return [zero(each.type) for each in members_of(type_)]
    return 0


def fit_lengths(named: Named, row: list[Recipe], exact: set[int]) -> None:
    """Set the lengths of these pointers to what is behind them."""
    for place, at in lengths_of(named).items():
        length = size_of(row[place])
        if place in exact and length is not None:
            row[at] = in_range(value_type(named[at][1]), length)


def _points_to(type_: CType, target: CType) -> bool:
    if type_.kind != "pointer" or type_.pointee.kind != target.kind:
        return False
    return bool(target.fields) and type_.pointee.fields == target.fields


class Maker:
    """Arguments for functions of one file."""

    def __init__(
        self, glue: Glue, chance: random.Random, words: Vocabulary, around: Vocabulary
    ) -> None:
        self._glue = glue
        self._chance = chance
        self._words: tuple[Vocabulary, ...] = (words, words, around)
        self._drawer = Drawer(chance, words)
        self._texts = [text for text in (*words.strings, *around.strings) if text.isascii()]

    def learn(self, constants: Iterable[int]) -> None:
        """Try numbers, too, that something was seen to be compared with."""
        more = tuple(dict.fromkeys(constants))
        self._words = tuple(
            replace(words, integers=(*words.integers, *more)) for words in self._words
        )

    # -- fresh ones --

    def first(self, function: CFunction) -> Iterator[list[Recipe]]:
        """Rows of small and telling values, one parameter at a time."""
        base = self.row(function.parameters)
        for place, (_, type_) in enumerate(function.parameters):
            if type_.kind in SCALARS:
                words = self._words[0]
                for value in self._small(type_, words):
                    yield [*base[:place], value, *base[place + 1 :]]

    def _small(self, type_: CType, words: Vocabulary) -> list[Any]:
        if type_.kind == "enum":
            return list(type_.values.values())[:SMALL]
        return small_values(value_type(type_), words, SMALL)[:SMALL]

    def near(self, function: CFunction, constants: Iterable[int]) -> Iterator[list[Recipe]]:
        """Rows with a number at one place that something is compared with, or next to it."""
        whole = [at for at, (_, type_) in enumerate(function.parameters) if type_.kind == "int"]
        for constant in constants if whole else ():
            row, place = self.row(function.parameters), self._chance.choice(whole)
            number = constant + self._chance.choice((0, 0, 1, -1))
            row[place] = in_range(value_type(function.parameters[place][1]), number)
            yield row

    def row(self, named: Named, depth: int = 0) -> list[Recipe]:
        """Values for parameters or members; lengths fit what they are the lengths of."""
        if depth == 0:
            self._drawer.words = self._chance.choice(self._words)
            self._drawer.turn()
        lengths = lengths_of(named)
        values = [
            self.value(type_, depth, name, place in lengths)
            for place, (name, type_) in enumerate(named)
        ]
        for place, at in lengths.items():
            length = size_of(values[place])
            if length is not None:
                if self._chance.random() < 0.1:
                    length = self._chance.randint(0, length)
                values[at] = in_range(value_type(named[at][1]), length)
        return values

    def value(self, type_: CType, depth: int, name: str = "", measured: bool = False) -> Recipe:
        """One value of any type."""
        chance = self._chance
        match type_.kind:
            case "int" | "float" | "bool":
                if type_.kind == "int" and LENGTH_NAME.search(name) and chance.random() < 0.7:
                    return in_range(value_type(type_), chance.randint(0, 12))
                return self._drawer.value(value_type(type_))
            case "char":
                code = self._drawer.character(ValueType("char", 0, 127, 1))
                return in_range(value_type(type_), code)
            case "enum":
                values = list(type_.values.values())
                flags = [value for value in values if value > 0 and value & (value - 1) == 0]
                if len(flags) > 2 and chance.random() < 0.5:
                    return sum(chance.sample(sorted(set(flags)), chance.randint(1, 3)))
                if values and chance.random() < 0.95:
                    return chance.choice(values)
                return in_range(value_type(type_), chance.randint(-1, 20))
            case "array":
                return self._in_array(type_, depth)
            case "struct" | "union":
                members = [(each.name, each.type) for each in members_of(type_)]
                row = self.row(members, depth + 1)
                return [
                    part & ((1 << each.bits) - 1) if each.bits else part
                    for each, part in zip(members_of(type_), row, strict=True)
                ]
            case "pointer":
                return self._pointer(type_, depth, measured)
        return 0

    def _in_array(self, type_: CType, depth: int) -> list[Recipe]:
        if type_.pointee.kind == "char" and self._chance.random() < 0.7:
            codes = list(self._text().encode("latin-1"))[: max(type_.count - 1, 0)]
            row = [*codes, *[0] * (type_.count - len(codes))]
            return [in_range(value_type(type_.pointee), code) for code in row]
        if self._chance.random() < 0.4:
            return [zero(type_.pointee) for _ in range(type_.count)]
        return [self.value(type_.pointee, depth + 1) for _ in range(type_.count)]

    def _text(self) -> str:
        text = self._drawer.text().replace("\0", "")
        if self._texts and self._chance.random() < 0.2:
            text = "".join(self._chance.choices(self._texts, k=self._chance.randint(1, 3)))
        if self._chance.random() < 0.15:
            at = self._chance.randint(0, len(text))
            more = self._chance.choices(SCRIPTS, k=self._chance.randint(1, 4))
            text = f"{text[:at]}{''.join(more)}{text[at:]}"
        return text.encode("utf-8", "ignore").decode("latin-1").replace("\0", "")

    def _pointer(self, type_: CType, depth: int, measured: bool) -> Recipe:
        chance, target = self._chance, type_.pointee
        if is_file(target):
            return None if chance.random() < 0.1 else {"file": self._text()}
        if target.kind == "function":
            fitting = [each.name for each in self._glue.functions if each.shape == target.shape]
            return {"function": chance.choice(fitting)} if fitting else None
        if chance.random() < (0.05 if depth < 2 else 0.3):
            return None
        if target.kind == "void":
            if measured or chance.random() < 0.5:
                return {"bytes": self._text()}
            return None
        if target.kind == "char":
            if measured:
                text = self._text()
                return {"bytes": text} if chance.random() < 0.7 else {"text": text, "room": 0}
            room = 0 if target.const or chance.random() < 0.4 else ROOM
            return {"text": self._text(), "room": room}
        if target.kind in ("struct", "union"):
            return self._object(target, depth, measured)
        if target.kind == "opaque" or depth > DEEPEST:
            return None
        count = chance.choice((0, 1, 1, 2, 3, 4, 5, MOST_ELEMENTS)) if measured else 1
        if target.kind in SCALARS and not measured and chance.random() < 0.3:
            count = chance.choice((2, 4, 8, 16))
        return {"array": [self.value(target, depth + 1) for _ in range(count)]}

    # -- objects --

    def _object(self, target: CType, depth: int, measured: bool) -> Recipe:
        chance = self._chance
        ways = self._ways(target) if depth <= DEEPEST else []
        if ways and not measured and chance.random() < 0.8:
            word, function = chance.choice(ways)
            first = 0 if word == "made" else 1
            then = self._then(target, depth) if depth == 0 else []
            arguments = self.row(function.parameters[first:], depth + 1)
            return {word: function.name, "args": arguments, "then": then}
        if depth > DEEPEST:
            return None
        count = chance.choice((1, 1, 2, 3)) if measured else 1
        return {"array": [self.value(target, depth + 1) for _ in range(count)]}

    def _ways(self, target: CType) -> list[tuple[str, CFunction]]:
        """Functions that give an object of a type, or that prepare memory to be one."""
        ways = []
        for each in self._glue.functions:
            if _points_to(each.result, target) and not any(
                _points_to(type_, target) for _, type_ in each.parameters
            ):
                ways.append(("made", each))
            elif (
                each.parameters
                and _points_to(each.parameters[0][1], target)
                and target.size
                and STARTS.search(each.name)
            ):
                ways.append(("init", each))
        return ways

    def _then(self, target: CType, depth: int) -> list[tuple[str, list[Recipe]]]:
        """Calls on an object, before the one that counts."""
        fitting = [
            each
            for each in self._glue.functions
            if each.parameters
            and _points_to(each.parameters[0][1], target)
            and not each.parameters[0][1].pointee.const
            and not ENDS.search(each.name)
        ]
        count = self._chance.choice((0, 0, 1, 2)) if fitting else 0
        chosen = [self._chance.choice(fitting) for _ in range(count)]
        return [(each.name, self.row(each.parameters[1:], depth + 1)) for each in chosen]

    # -- varied ones --

    def varied(self, function: CFunction, row: Sequence[Recipe]) -> list[Recipe]:
        """A row that is like another."""
        changed = deepcopy(list(row))
        for _ in range(self._chance.choice((1, 1, 2, 3))):
            changed = self._varied_row(function.parameters, changed)
        return changed

    def _varied_row(self, named: Named, row: list[Recipe]) -> list[Recipe]:
        if not row:
            return row
        place = self._chance.randrange(len(row))
        tied = {
            at: where for at, where in lengths_of(named).items() if size_of(row[at]) is not None
        }
        exact = {at for at, where in tied.items() if row[where] == size_of(row[at])}
        new = [*row[:place], self._varied(named[place][1], row[place]), *row[place + 1 :]]
        if place not in tied.values() or self._chance.random() < 0.7:
            fit_lengths(named, new, exact)
        return new

    def _varied(self, type_: CType, recipe: Recipe) -> Recipe:
        chance = self._chance
        match recipe:
            case {"text": text, "room": room}:
                return {"text": self._varied_text(text), "room": room}
            case {"bytes": text}:
                return {"bytes": self._varied_text(text)}
            case {"array": items}:
                return {"array": self._varied_items(type_.pointee, items)}
            case {"made": name} | {"init": name}:
                return self._varied_object(recipe, name)
            case list() if type_.kind in ("struct", "union") and recipe:
                members = [(each.name, each.type) for each in members_of(type_)]
                return self._varied_row(members, recipe)
            case list() if recipe:
                place = chance.randrange(len(recipe))
                part = self._varied(type_.pointee, recipe[place])
                return [*recipe[:place], part, *recipe[place + 1 :]]
            case int() if type_.kind in ("int", "char") and chance.random() < 0.6:
                near = chance.choice((recipe + 1, recipe - 1, -recipe, recipe * 2, recipe ^ 1))
                return in_range(value_type(type_), near)
        return self.value(type_, 1)

    def _varied_object(self, recipe: Mapping[str, Any], name: str) -> Recipe:
        function = self._glue.functions[self._glue.numbers[name]]
        first = 0 if "made" in recipe else 1
        changed = dict(recipe)
        if recipe["then"] and self._chance.random() < 0.5:
            calls = list(recipe["then"])
            place = self._chance.randrange(len(calls))
            title, row = calls[place]
            named = self._glue.functions[self._glue.numbers[title]].parameters[1:]
            calls[place] = (title, self._varied_row(named, row))
            changed["then"] = calls
        else:
            changed["args"] = self._varied_row(function.parameters[first:], list(recipe["args"]))
        return changed

    def _varied_text(self, text: str) -> str:
        chance = self._chance
        at = chance.randint(0, len(text))
        more = chance.choice((
            chance.choice(self._drawer.letters),
            chance.choice(self._drawer.words.characters or "a"),
            chance.choice(self._texts or ["0"]), text[at : at + 3], str(chance.randint(0, 300)),
            chr(chance.choice((1, 9, 10, 13, 32, 92, 127, 128, 192, 224, 240, 255))),
        ))  # fmt: skip
        more = (
            more.encode("utf-8", "ignore").decode("latin-1")
            if max(more, default="a") > "ÿ"
            else more
        )
        style = chance.random()
        if style < 0.5:
            return text[:at] + more + text[at:]
        if style < 0.75:
            return text[:at] + more + text[at + max(1, len(more)) :]
        return text[:at] + text[at + chance.randint(1, 3) :]

    def _varied_items(self, type_: CType, items: list[Recipe]) -> list[Recipe]:
        place = self._chance.randint(0, len(items))
        style = self._chance.random()
        if style < 0.2:
            return [*items[:place], self.value(type_, 2), *items[place:]]
        if style < 0.3:
            return [*items[:place], *items[place + 1 :]]
        if not items:
            return items
        place = min(place, len(items) - 1)
        return [*items[:place], self._varied(type_, items[place]), *items[place + 1 :]]
