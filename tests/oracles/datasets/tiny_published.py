"""A small dataset in the published formats, written for the tests: programs, Turtle and csv."""

import csv
from dataclasses import dataclass
from pathlib import Path

PREFIXES = """\
@prefix mb: <https://b2share.eudat.eu/records/153db16ce2f6401298a9aea8b0ab9781/> .
@prefix schema: <http://schema.org/> .
"""

PROGRAMS = {
    "Clamp.java": """\
public class Clamp {
    public static int clamp(int value, int low, int high) {
        if (value < low) {
            return low;
        }
        if (value > high) {
            return high;
        }
        return value;
    }

    public static int span(int low, int high) {
        return high - low;
    }
}
""",
    "Steps.java": """\
public class Steps {
    int steps(int distance, int stride) {
        int count = 0;\x20\x20
        while (distance > 0) {
            distance -= stride;
            count++;
        }
        return count;
    }
}
""",
    "tally.c": """\
#define LIMIT 10
tally(items, count)
int *items, count;
{
\tint total = 0;
\twhile (count-- > 0)
\t\ttotal += *items++;\x20
\treturn total > LIMIT ? LIMIT : total;
}

int twice(int n) { return n + n; }
""",
}


@dataclass(frozen=True)
class TinyMutant:
    """A mutant of a tiny program: (line, new text) edits, and what the Turtle file says of it."""

    name: str
    program: str
    edits: tuple[tuple[int, str], ...]
    operators: tuple[str, ...]
    equivalence: tuple[str, ...]

    def difference(self) -> str:
        """A zero-context diff; the old side has lost the white space at the end of its lines."""
        lines = PROGRAMS[self.program].split("\n")
        hunks = (
            f"@@ -{line} +{line} @@\n-{lines[line - 1].rstrip()}\n+{new}\n"
            for line, new in self.edits
        )
        return "".join(hunks)

    def turtle(self) -> str:
        """Its block of the Turtle file."""
        said = ", ".join(f'"{value}"^^schema:boolean' for value in self.equivalence)
        names = ", ".join(f"<mb:operator#{name}>" for name in self.operators)
        operators = f"    mb:operator {names} ;\n" if names else ""
        return (
            f"<mb:mutant#{self.name}> a mb:Mutant ;\n"
            f'    mb:difference """{self.difference()}""" ;\n'
            f"    mb:equivalence {said} ;\n{operators}"
            f"    mb:program <mb:program#{self.program}> .\n"
        )


MUTANTS = (
    TinyMutant("a1", "Clamp.java", ((3, "        if (value <= low) {"),), ("ROR",), ("true",)),
    TinyMutant("a2", "Clamp.java", ((6, "        if (value < high) {"),), ("ROR",), ("false",)),
    TinyMutant("a3", "Clamp.java", ((13, "        return high + low;"),), ("AORB",), ("false",)),
    TinyMutant(
        "b1", "Steps.java", ((3, "        int count = 1;"),), ("CR", "AOIU"), ("true", "false")
    ),
    TinyMutant("b2", "Steps.java", ((4, "        while (distance >= 1) {"),), (), ("true",)),
    TinyMutant("c1", "tally.c", ((5, "\tint total = 1;"),), ("CR",), ("false",)),
    TinyMutant("c2", "tally.c", ((7, "\t\ttotal += *items;"),), ("AODS",), ("false",)),
    TinyMutant(
        "c3",
        "tally.c",
        (
            (8, "\treturn total >= LIMIT ? LIMIT : total;"),
            (11, "int twice(int n) { return n << 1; }"),
        ),
        ("ROR", "SOR"),
        ("true",),
    ),
)


def program_block(file_name: str, language: str) -> str:
    """The block of the Turtle file that describes a program."""
    return (
        f"<mb:program#{Path(file_name).name}> a mb:Program ;\n"
        f'    schema:programmingLanguage "{language}" ;\n'
        f'    mb:fileName "{file_name}" .\n'
    )


def write_mutantbench(directory: Path, extra: str = "") -> Path:
    """dataset.ttl and programs/ in a directory; `extra` is appended to the Turtle."""
    (directory / "programs").mkdir(parents=True, exist_ok=True)
    for name, text in PROGRAMS.items():
        (directory / "programs" / name).write_text(text)
    blocks = [program_block(name, name.rpartition(".")[2]) for name in PROGRAMS]
    blocks += [mutant.turtle() for mutant in MUTANTS]
    ttl = directory / "dataset.ttl"
    ttl.write_text("\n".join([PREFIXES, *blocks, extra]))
    return ttl


def method(program: str, first: int, last: int, edits: tuple[tuple[int, str], ...] = ()) -> str:
    """The lines of a function of a program, edited, moved to the left margin."""
    lines = PROGRAMS[program].split("\n")
    for line, new in edits:
        lines[line - 1] = new
    margin = 4 if program.endswith(".java") else 0
    return "\n".join(line[margin:] for line in lines[first - 1 : last])


SPANS = {"a1": (2, 10), "a2": (2, 10), "a3": (12, 14), "b1": (2, 9), "b2": (2, 9)}
"""Where the changed Java methods stand."""


def write_emd(directory: Path) -> None:
    """The three csv files: a1 twice and b1 in training; a2, a3, b2 and a1 again in test."""
    directory.mkdir(parents=True, exist_ok=True)
    code: dict[str, int] = {}

    def number(text: str) -> int:
        # The published csv has no white space at the end of lines.
        text = "\n".join(line.rstrip() for line in text.split("\n"))
        return code.setdefault(text, 10 * (len(code) + 1))

    by_name = {mutant.name: mutant for mutant in MUTANTS}
    parts = {"Mutant_A": ("a1", "b1", "a1"), "Mutant_B": ("a2", "a3", "b2", "a1")}
    row = 0
    for part, names in parts.items():
        with (directory / f"{part}_hierarchical.csv").open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["", "id", "code_id_1", "code_id_2", "label"])
            for name in names:
                mutant, span = by_name[name], SPANS[name]
                origin = number(method(mutant.program, *span))
                changed = number(method(mutant.program, *span, mutant.edits))
                label = int(mutant.equivalence == ("true",))
                writer.writerow([row, row, origin, changed, label])
                row += 1
    with (directory / "MutantBench_code_db_java.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["id", "code"])
        writer.writerows([number, text] for text, number in code.items())
