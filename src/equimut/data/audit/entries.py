"""How MutantBench's programs are called when calling the changed function alone would be unfair."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from equimut.oracle.backend import WholePrograms
from equimut.storage.files import read_toml

ENTRY = "equimut_entry"

FED_INPUT = """\
#include <stdarg.h>
typedef int *equimut_place;
static int equimut_fed[8], equimut_at;
static int equimut_scan(const char *format, ...) {
    va_list places;
    int count = 0;
    va_start(places, format);
    for (; *format; format++)
        if (*format == '%') { *va_arg(places, equimut_place) = equimut_fed[equimut_at++]; count++; }
    va_end(places);
    return count;
}
#define scanf equimut_scan
"""
"""Numbers in place of the standard input."""


@dataclass(frozen=True)
class Entry:
    """One way into a program: a function of our own, added to it."""

    header: str
    """Result type and parameters; `ENTRY` stands for the name."""
    body: str
    requires: str = ""
    """What a caller would have to respect for the result to mean anything: a condition on the
    parameters, in the language of the program; empty: any value will do."""
    functions: tuple[str, ...] = ()
    """The changed functions it serves; empty: all of the program."""
    before: str = ""
    """Put before the program (C)."""
    after: str = ""
    """Put after the program: small stand-ins for classes that were not published with it."""

    def text(self, programs: WholePrograms, within_domain: bool) -> str:
        """The function; with `within_domain`, other inputs are refused."""
        guard = f"if (!({self.requires})) {{ {programs.refuse} }}" if self.requires else ""
        header = self.header.replace("ENTRY", ENTRY)
        return f"{programs.needed}{header} {{\n{guard * within_domain}\n{self.body}\n}}"


@cache
def entries() -> dict[str, tuple[Entry, ...]]:
    """Ways into the published programs, by the name of the program's file."""
    rows = read_toml(Path(__file__).with_name("entries.toml"))
    return {program: tuple(_entry(**row) for row in ways) for program, ways in rows.items()}


def _entry(
    header: str,
    body: str,
    functions: tuple[str, ...] = (),
    before: str = "",
    feeds_input: bool = False,
    **texts: str,
) -> Entry:
    before = FED_INPUT if feeds_input else before
    return Entry(header, body, functions=tuple(functions), before=before, **texts)


def entry_for(program: str, function: str) -> Entry | None:
    """The way in that serves a changed function, if one is needed."""
    for entry in entries().get(program, ()):
        if not entry.functions or function in entry.functions:
            return entry
    return None
