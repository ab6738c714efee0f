"""Major's `mutants.log` and `kill.csv` as text: columns parted by colons, code that has colons too.

    3:ROR:<=(int,int):<(int,int):triangle.Triangle@classify(int,int,int):20:a <= 0 |==> a < 0

Newer versions put the position in the file between the line and the code.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from equimut.reports.reported import ReportError, Status

ARROW = " |==> "
MAX_LINE = 1_000_000

# The column with the class is the only one with a shape of its own; `@` parts class and method.
_PLACE = r"(?P<type>[\w$]+(?:\.[\w$]+)*)(?P<method>@[\w$<>]+(?:\([^:]*?\))?){}:(?P<line>\d+)"
_LINE = tuple(
    re.compile(
        r"^(?P<number>\d+):(?P<operator>[A-Z_]+):(?P<symbols>.*?):"
        + _PLACE.format(count)
        + r":(?:(?P<position>\d+):)?(?P<code>.*)$",
        re.S,
    )
    for count in ("", "?")
)
_KILL_ROW = re.compile(r"^\s*(\d+)\s*,\s*\"?([A-Za-z_]+)\"?\s*(?:,.*)?$")

STATUS: dict[str, Status] = {
    "FAIL": "killed",
    "EXC": "killed",
    "TIME": "timeout",
    "LIVE": "survived",
    "UNCOV": "no_coverage",
    "CRASH": "runtime_error",
}
"""Major's words: a test failed, threw, ran too long; the mutant lives; no test reaches it."""


@dataclass(frozen=True)
class LogLine:
    """One mutant of the log."""

    number: str
    operator: str
    symbols: str
    type: str
    method: str
    line: int
    position: int | None
    code: str

    @property
    def file(self) -> str:
        """The path of the top-level class, below a source folder."""
        return self.type.split("$")[0].replace(".", "/") + ".java"

    @property
    def readings(self) -> Iterator[tuple[str, str]]:
        """(original, mutant): more than one if the arrow stands in the code itself."""
        parts = self.code.split(ARROW)
        for at in range(1, len(parts)):
            yield ARROW.join(parts[:at]).strip(), ARROW.join(parts[at:]).strip()


def read_log(path: Path) -> Iterator[LogLine]:
    """All mutants of a log, line by line."""
    try:
        with path.open(encoding="utf-8", errors="replace", newline="\n") as file:
            for number, line in enumerate(iter(lambda: file.readline(MAX_LINE), ""), 1):
                if line.strip():
                    yield _parsed(line.rstrip("\r\n"), path, number)
    except OSError as error:
        raise ReportError(f"cannot read {path}: {error.strerror}") from None


def _parsed(text: str, path: Path, number: int) -> LogLine:
    match = next((match for form in _LINE if (match := form.match(text))), None)
    if match is None or ARROW.strip() not in match["code"]:
        raise ReportError(f"{path}, line {number}: not a line of Major's mutants.log")
    position = match["position"]
    return LogLine(
        number=match["number"],
        operator=match["operator"],
        symbols=match["symbols"],
        type=match["type"],
        method=(match["method"] or "").removeprefix("@").split("(")[0],
        line=int(match["line"][:9]),
        position=int(position[:12]) if position else None,
        code=match["code"],
    )


def read_kills(path: Path) -> dict[str, str]:
    """Mutant number -> Major's word; the first line is a heading."""
    kills: dict[str, str] = {}
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError as error:
        raise ReportError(f"cannot read {path}: {error.strerror}") from None
    for number, line in enumerate(lines, 1):
        match = _KILL_ROW.match(line)
        if match:
            kills[match[1]] = match[2].upper()
        elif line.strip() and number > 1:
            raise ReportError(f"{path}, line {number}: not a row of Major's kill.csv")
    return kills
