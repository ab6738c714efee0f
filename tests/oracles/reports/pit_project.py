"""Java code of ours, what PIT would do to it, and what was checked by hand: one row a mutation."""

import csv
import subprocess
from dataclasses import dataclass
from pathlib import Path

from oracles import jdk
from oracles.reports.class_files import Instruction, Method, read_classes
from oracles.reports.pit_bytecode import MUTATORS, Mutation, mutations

PROJECT = Path(__file__).parent.parent.parent / "reports" / "pit_project"
SOURCES = PROJECT / "src"
EXPECTED = PROJECT / "expected.tsv"
COLUMNS = (
    "class", "method", "descriptor", "line", "index", "opcode", "mutator", "description", "mutant",
)  # fmt: skip


@dataclass(frozen=True)
class Row:
    """A mutation and its place in the source: the changed lines, with the edit in « »."""

    key: tuple[str, str, str, int, str, str]
    line: int
    opcode: str
    mutant: str
    """Empty where no text of Java could say it: code that the compiler adds."""


def expected_rows() -> list[Row]:
    """The table that was checked by hand."""
    with EXPECTED.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [
        Row(
            (
                row["class"], row["method"], row["descriptor"], int(row["index"]),
                MUTATORS + row["mutator"], row["description"],
            ),
            int(row["line"]),
            row["opcode"],
            row["mutant"].replace("\\n", "\n"),
        )
        for row in rows
    ]  # fmt: skip


def as_mutation(row: Row) -> Mutation:
    """The mutation of a row, with as much of a method around it as a report needs."""
    class_name, name, descriptor, index, mutator, description = row.key
    instruction = Instruction(row.opcode, None, row.line, index)
    method = Method(class_name, name, descriptor, False, (instruction,))
    return Mutation(method, 0, mutator, description)


def compiled(sources: Path, target: Path) -> dict[tuple[str, str, str], Method]:
    """The methods of a source tree, after javac."""
    subprocess.run(
        [*jdk.JAVAC, "-g", "-nowarn", "-proc:none", "-encoding", "UTF-8",
         "-d", str(target), *map(str, sorted(sources.rglob("*.java")))],
        check=True, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    return read_classes(target)


def all_mutations(methods: dict[tuple[str, str, str], Method]) -> list[Mutation]:
    """Every mutation, class by class as PIT reports them."""
    return [found for method in methods.values() for found in mutations(method, every=True)]


def marked(source: bytes, start: int, end: int, replacement: str) -> str:
    """The lines an edit touches, after it, with the edit between « and »."""
    first = source.rfind(b"\n", 0, start) + 1
    last = source.find(b"\n", end)
    before, after = source[first:start].decode(), source[end:last].decode()
    return f"{before}«{replacement}»{after}".strip()
