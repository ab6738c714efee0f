"""Random functions in every language, from one description, so their graphs can be compared."""

from dataclasses import dataclass
from random import Random
from typing import ClassVar

LANGUAGES = ("java", "c", "python")


@dataclass
class RandomProgram:
    """Writes one function: lines of statements over a few variables, nested to some depth."""

    random: Random
    language: str
    names: tuple[str, ...] = ("a", "b", "c", "d")
    simple: ClassVar[list[str]] = ["assign", "assign", "augment", "call", "declare", "return"]
    compound: ClassVar[list[str]] = ["if", "else", "while", "for"]
    deepest: ClassVar[int] = 4

    def text(self) -> str:
        self.braces = self.language != "python"
        a, b = self.names[:2]
        head = f"int f(int {a}, int {b}) {{" if self.braces else f"def f({a}, {b}):"
        lines = [head, *self.block(1)]
        return "\n".join([*lines, "}"] if self.braces else lines) + "\n"

    def block(self, depth: int) -> list[str]:
        lines = []
        for _ in range(self.random.randint(1, 4)):
            lines += self.statement(depth)
        return lines

    def statement(self, depth: int) -> list[str]:
        kind = self.random.choice(self.simple + self.compound * (depth < self.deepest))
        return [" " * 4 * depth + line for line in getattr(self, f"write_{kind}")(depth)]

    def name(self) -> str:
        return self.random.choice(self.names)

    def value(self) -> str:
        left = self.random.choice([self.name(), str(self.random.randint(0, 3)), '"s t"'])
        operator = self.random.choice(["", f" + {self.name()}", f" * ({self.name()} - 1)"])
        return left + operator

    def line(self, text: str) -> list[str]:
        return [text + ";" * self.braces]

    def write_assign(self, depth: int) -> list[str]:
        return self.line(f"{self.name()} = {self.value()}")

    def write_augment(self, depth: int) -> list[str]:
        return self.line(f"{self.name()} += {self.value()}")

    def write_call(self, depth: int) -> list[str]:
        return self.line(f"g({self.name()}, {self.value()})")

    def write_declare(self, depth: int) -> list[str]:
        return self.line(f"{'int ' * self.braces}{self.name()} = {self.value()}")

    def write_return(self, depth: int) -> list[str]:
        return self.line(f"return {self.value()}")

    def nested(self, head: str, depth: int) -> list[str]:
        inner = [line[4 * depth :] for line in self.block(depth + 1)]
        return [f"{head} {{", *inner, "}"] if self.braces else [f"{head}:", *inner]

    def write_if(self, depth: int) -> list[str]:
        return self.nested(f"if ({self.name()} > {self.name()})", depth)

    def write_else(self, depth: int) -> list[str]:
        return self.write_if(depth) + self.nested("else", depth)

    def write_while(self, depth: int) -> list[str]:
        return self.nested(f"while ({self.name()} > {self.name()})", depth)

    def write_for(self, depth: int) -> list[str]:
        name, other = self.name(), self.name()
        if not self.braces:
            return self.nested(f"for {name} in g({other})", depth)
        return self.nested(f"for (int {name} = {self.value()}; {name} < {other}; {name}++)", depth)
