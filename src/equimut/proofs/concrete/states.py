"""States to try: values of parameters by their types, near the constants of the function."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from equimut.languages.concrete import Array, Stuck, Value
from equimut.languages.lowered import Declare, Function, Lit, Local, Operation, Type, walk
from equimut.proofs.concrete.memory import allocate, put, size_of
from equimut.proofs.concrete.run import Instance, Run, fitting

MOST = 40
"""States of one function."""
_SMALL = (0, 1, 2, 3, 4, 5, 7, 10)
_SIGNED = (-1, -2, -3, -10)
_LETTERS = "ab 1cB,-"
_SIZES = (3, 4, 2, 5, 1, 6, 0)


@dataclass(frozen=True)
class Memory:
    """What an address points to: elements of one type."""

    type: Type
    items: tuple[Value, ...]


@dataclass(frozen=True)
class Items:
    """An array object with these elements."""

    items: tuple[Value, ...]


@dataclass(frozen=True)
class State:
    """Values of the parameters, before anything is allocated."""

    seed: int
    values: tuple[Value, ...]

    def run(self, function: Function, fuel: int) -> Run:
        """A run that begins in this state."""
        run = Run({"this": Instance("this")}, fuel, seed=self.seed)
        for local, value in zip(function.parameters, self.values, strict=True):
            run.locals[local.name] = _made(run, local.name, value)
        return run

    def readable(self, function: Function) -> dict[str, str]:
        """The parameters as a person reads them."""
        return {
            local.name: _spelt(value)
            for local, value in zip(function.parameters, self.values, strict=True)
        }


def _spelt(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Memory | Items):
        items = ", ".join(_spelt(each) for each in value.items)
        return f"{len(value.items)} elements: {items}" if items else "0 elements"
    return "not null" if isinstance(value, Instance) else repr(value)


def _made(run: Run, name: str, value: Value) -> Value:
    if isinstance(value, Memory):
        size = size_of(value.type)
        block = allocate(run, name, size * len(value.items))
        for place, item in enumerate(value.items):
            put(block, place * size, value.type, item)
        return block.start
    if isinstance(value, Items):
        return Array([_made(run, name, each) for each in value.items])
    if isinstance(value, Instance):
        return Instance(name)
    if isinstance(value, list | set):
        return type(value)(_made(run, name, each) for each in value)
    return dict(value) if isinstance(value, dict) else value


def states(function: Function) -> Iterator[State]:
    """The states of a function, always the same ones."""
    hints = _annotations(function)
    numbers, letters = _constants(function)
    for seed in range(MOST):
        drawing = _Drawing(seed, numbers, letters)
        try:
            yield State(
                seed,
                tuple(
                    drawing.value(each.type, hints.get(each.name)) for each in function.parameters
                ),
            )
        except Stuck:
            return


def _annotations(function: Function) -> dict[str, str]:
    """What parameters are annotated with, where values carry their types."""
    found = {}
    for node in getattr(function.body, "statements", ()):
        if isinstance(node, Declare) and isinstance(node.value, Operation):
            operands = node.value.operands
            if node.value.name == "annotated" and isinstance(operands[0], Local):
                found[operands[0].name] = node.value.type.name
    return found


def _constants(function: Function) -> tuple[list[int], str]:
    """Whole numbers of the function and those next to them; characters of its texts."""
    numbers, letters = set(), set()
    for node in walk(function.body):
        if (
            isinstance(node, Lit)
            and isinstance(node.value, int)
            and not isinstance(node.value, bool)
        ):
            numbers |= {node.value - 1, node.value, node.value + 1}
            if 32 < node.value < 127:
                letters.add(chr(node.value))
        elif isinstance(node, Lit) and isinstance(node.value, str):
            letters |= {sign for sign in node.value if sign.isascii() and sign.isprintable()}
    return sorted(numbers, key=lambda value: (abs(value), value))[:40], "".join(sorted(letters))


class _Drawing:
    """Draws the values of one state."""

    def __init__(self, seed: int, numbers: list[int], letters: str) -> None:
        self.random = random.Random(seed)
        self.style = seed % 6
        self.size = _SIZES[seed % len(_SIZES)]
        self.numbers = numbers or [0]
        self.letters = letters + _LETTERS

    def value(self, type_: Type, hint: str | None) -> Value:
        if type_.kind == "value":
            return self.annotated(hint or self.random.choice(("int", "list[int]", "str")))
        if type_.element is not None and type_.kind == "int":
            return self._pointed(type_.element)
        return self._typed(type_)

    def _typed(self, type_: Type) -> Value:
        if type_.kind == "bool":
            return self.random.random() < 0.5
        if type_.kind == "float":
            return self._fraction()
        if type_.kind == "int":
            return fitting(type_)(self._whole(type_))
        if type_.kind != "ref":
            raise Stuck
        if type_.name == "String":
            return self._text()
        if type_.name.endswith("[]"):
            inner = _named(type_.name[:-2])
            if type_.name.count("[]") == 1:
                return Items(tuple(self._row(inner)))
            rows = [Items(tuple(self._typed(_named(type_.name[:-4])) for _ in range(self.size)))
                    for _ in range(max(self.size - 1, 1))]  # fmt: skip
            return Items(tuple(rows))
        return Instance("")

    def _row(self, type_: Type) -> list[Value]:
        row = [self._typed(type_) for _ in range(self.size)]
        if self.style in (1, 4) and type_.kind != "ref":
            row.sort()
        return row

    def _whole(self, type_: Type | None = None) -> int:
        if type_ is not None and type_.name in ("char", "unsigned char"):
            return ord(self.random.choice(self.letters))
        pick = self.random.random()
        if self.style in (0, 4):
            return self.random.choice(_SMALL) if pick < 0.5 else self.size
        if self.style == 1:
            return self.random.choice(_SMALL if pick < 0.5 else self.numbers)
        if self.style == 2:
            return self.random.choice(self.numbers)
        if self.style == 3:
            return self.random.choice((*_SIGNED, *_SMALL, *self.numbers))
        bits = 64 if type_ is None else type_.bits
        most = (1 << (bits - 1)) - 1
        return self.random.choice((most, -most - 1, most - 1, -1, 100, 1000, *self.numbers))

    def _fraction(self) -> float:
        values = (0.5, 1.0, 2.0, 3.25, -1.5, 0.0, 10.0, float(self.random.choice(self.numbers)))
        return self.random.choice(values)

    def _text(self) -> str:
        return "".join(self.random.choice(self.letters) for _ in range(self.size))

    def _pointed(self, type_: Type) -> Memory:
        if type_.element is not None:
            raise Stuck
        room = 0 if self.style % 2 == 0 else 12
        if type_.kind == "int" and type_.name == "char":
            codes = [ord(self.random.choice(self.letters)) for _ in range(self.size)]
            return Memory(type_, (*codes, *([0] * (room + 1))))
        row = self._row(type_)
        return Memory(type_, (*row, *([type(row[0])(0) if row else 0] * room)))

    def annotated(self, name: str) -> Value:
        """A value that an annotation admits."""
        name = name.strip()
        options = _split(name, "|")
        if len(options) > 1:
            return self.annotated(self.random.choice(options))
        base, _, inner = name.partition("[")
        arguments = _split(inner[:-1], ",") if inner else []
        if base in ("list", "set"):
            item = arguments[0] if arguments else "int"
            items = [self.annotated(item) for _ in range(self.size)]
            if self.style in (1, 4) and item in ("int", "float", "str"):
                items.sort()
            return items if base == "list" else set(items)
        if base == "dict":
            key, item = arguments if len(arguments) == 2 else ("str", "int")
            return {self.annotated(key): self.annotated(item) for _ in range(self.size)}
        if base == "tuple":
            if len(arguments) == 2 and arguments[1].strip() == "...":
                arguments = arguments[:1] * self.size
            return tuple(self.annotated(each) for each in arguments or ["int", "int"])
        plain: dict[str, Callable[[], Value]] = {
            "int": self._whole, "str": self._text, "float": self._fraction,
            "bool": lambda: self.random.random() < 0.5, "None": lambda: None,
        }  # fmt: skip
        if base not in plain:
            raise Stuck
        return plain[base]()


def _named(name: str) -> Type:
    """The type of a Java array's elements by its name."""
    widths = {"int": 32, "long": 64, "short": 16, "byte": 8}
    if name in widths:
        return Type("int", widths[name], name=name)
    if name == "char":
        return Type("int", 16, signed=False, name=name)
    if name in ("double", "float"):
        return Type("float", 64 if name == "double" else 32, name=name)
    return Type("bool", name=name) if name == "boolean" else Type("ref", name=name)


def _split(text: str, sign: str) -> list[str]:
    """Parts of an annotation between signs that are not inside brackets."""
    found, depth, start = [], 0, 0
    for place, each in enumerate(text):
        depth += (each == "[") - (each == "]")
        if each == sign and depth == 0:
            found.append(text[start:place])
            start = place + 1
    return [*found, text[start:]]
