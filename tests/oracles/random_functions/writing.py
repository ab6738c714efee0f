"""What the writers of random functions share: scopes, expressions, conditions, jumps."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import ClassVar

from oracles.random_programs import RandomProgram

CORNERS = (0, 1, -1, 2, 3, 5, 7, 9, 127, 128, -128, 200, 255, 256, 2**31 - 1, -(2**31))


@dataclass(frozen=True)
class RandomFunction:
    """A source with one function `f`, and how it is called."""

    source: str
    types: tuple[str, ...]
    """Of the parameters."""
    state: tuple[str, ...]
    """Fields or globals that are compared afterwards."""


@dataclass
class FunctionWriter(RandomProgram):
    """Writes functions over a few typed names, which jump, shadow and end.

    Loops count names that nothing else writes, so every origin ends.
    """

    operators: ClassVar[tuple[str, ...]] = ("+", "-", "*", "&", "|", "^", "/", "%")
    comparisons: ClassVar[tuple[str, ...]] = ("<", "<=", ">", ">=", "==", "!=")
    logical: ClassVar[tuple[str, str, str]] = ("&&", "||", "!")
    deepest: ClassVar[int] = 3

    scopes: list[dict[str, str]] = field(default_factory=list)
    """Names in reach and their types; the innermost scope last."""
    fixed: set[str] = field(default_factory=set)
    loops: list[str] = field(default_factory=list)
    """Labels of the loops around; empty for one without."""
    made: int = 0

    @contextmanager
    def scope(self) -> Iterator[None]:
        self.scopes.append({})
        yield
        self.scopes.pop()

    def block(self, depth: int) -> list[str]:
        with self.scope():
            return super().block(depth)

    def visible(self) -> dict[str, str]:
        return {name: kind for scope in self.scopes for name, kind in scope.items()}

    def name(self) -> str:
        """A name to read."""
        return self.random.choice(sorted(self.visible()))

    def target(self) -> str:
        """A name to write."""
        return self.random.choice(sorted(self.visible().keys() - self.fixed))

    def fresh(self, start: str) -> str:
        self.made += 1
        return f"{start}{self.made}"

    def literal(self) -> str:
        value = self.random.choice((0, 0, 1, 1, 2, 3, 5, 7, 9, 100, 127, -1, -2))
        return str(value) if value >= 0 else f"({value})"

    def value(self) -> str:
        return self.expression(self.random.randint(0, 2))

    def expression(self, depth: int) -> str:
        if depth == 0:
            return self.name() if self.random.random() < 0.7 else self.literal()
        sign = self.random.choice(self.operators)
        left, right = self.expression(depth - 1), self.expression(0)
        if sign in ("/", "%", "//") and self.random.random() < 0.7:
            right = self.random.choice(("2", "3", "7", "(-3)"))
        return f"({left} {sign} {right})"

    def condition(self, depth: int = 1) -> str:
        if depth and self.random.random() < 0.4:
            both, either, negation = self.logical
            if self.random.random() < 0.25:
                return f"{negation}({self.condition(0)})"
            sign = self.random.choice((both, either))
            return f"{self.condition(0)} {sign} {self.condition(0)}"
        return f"{self.value()} {self.random.choice(self.comparisons)} {self.expression(0)}"

    def write_jump(self, depth: int) -> list[str]:
        """Leave or repeat a loop, or the function, under a condition."""
        jumps = [f"return {self.value()}"]
        if self.loops:
            labels = [f" {label}" for label in self.loops if label]
            jumps = ["break", "continue", "break", "continue", *jumps]
            jumps += [f"{word}{label}" for word in ("break", "continue") for label in labels]
        return self.guarded(self.random.choice(jumps))

    def guarded(self, jump: str) -> list[str]:
        end = ";" if self.braces else ""
        head = f"if ({self.condition()}) {{" if self.braces else f"if {self.condition()}:"
        return [head, f"    {jump}{end}", *(["}"] if self.braces else [])]

    def write_return(self, depth: int) -> list[str]:
        return self.write_jump(depth)

    def write_if(self, depth: int) -> list[str]:
        condition = self.condition()
        return self.nested(f"if ({condition})" if self.braces else f"if {condition}", depth)

    def looping(self, head: str, depth: int, label: str = "") -> list[str]:
        self.loops.append(label)
        lines = self.nested(head, depth)
        self.loops.pop()
        return lines
