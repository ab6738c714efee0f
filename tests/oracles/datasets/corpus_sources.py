"""Small source trees to build corpora from: functions that are unlike each other, by a seed."""

import random
from pathlib import Path

_NAMES = ("amount", "base", "count", "depth", "edge", "field", "gate", "hold", "index", "jump")


def python_function(chance: random.Random, name: str) -> str:
    """A function of 40 to 80 tokens with names and numbers of its own."""
    a, b, c = chance.sample(_NAMES, 3)
    a, b, c = (f"{each}_{chance.randrange(1000)}" for each in (a, b, c))
    lines = [f"def {name}({a}, {b}):", f"    {c} = {a} * {chance.randrange(99)}"]
    for _ in range(chance.randint(3, 6)):
        left, right = chance.choice([a, b, c]), chance.choice([a, b, c])
        sign = chance.choice(["+", "-", "*", "//", "%", "|", "&"])
        lines.append(f"    {c} = {left} {sign} {right}.{chance.choice(_NAMES)}({chance.random()})")
    return "\n".join([*lines, f"    return {c}", ""])


def write_tree(root: Path, files: int, functions: int = 4, seed: int = 0) -> Path:
    """A directory of Python files with so many functions each."""
    root.mkdir(parents=True, exist_ok=True)
    for number in range(files):
        chance = random.Random(f"{seed} {number}")
        parts = [python_function(chance, f"work_{number}_{at}") for at in range(functions)]
        (root / f"module_{number}.py").write_text("\n\n".join(parts))
    return root
