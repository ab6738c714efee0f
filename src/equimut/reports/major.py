"""Major: the code of a line of `mutants.log` is looked for, token by token, on the line it names.

    3:ROR:<=(int,int):<(int,int):triangle.Triangle@classify(int,int,int):20:a <= 0 |==> a < 0

Columns are parted by colons, and code has colons too. Newer versions put the position in the file
between the line and the code. Code stands there as the compiler prints it: white space has no
meaning. The same code may be on a line more than once; such mutants have the order of the text.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import compress, groupby
from pathlib import Path

from tree_sitter import Node

from equimut.errors import ParseError
from equimut.parsing.tokens import Token, tokenize
from equimut.parsing.tree import parse
from equimut.reports.locating import Located, Row, RowsPart, enclosing_function, locate, numbered
from equimut.reports.reported import (
    Report,
    ReportedMutant,
    ReportError,
    Status,
    reading,
)
from equimut.reports.sources import SourceFile, SourceTree

_NOTHING = "<NO-OP>"
_ARROW = " |==> "
_MAX_LINE = 1_000_000

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

_STATUS: dict[str, Status] = {
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
        parts = self.code.split(_ARROW)
        for at in range(1, len(parts)):
            yield _ARROW.join(parts[:at]).strip(), _ARROW.join(parts[at:]).strip()


def read_major(path: Path, source: Path | None) -> Report:
    """Read `mutants.log`, and the results in the `kill.csv` next to it."""
    kills_file = path.parent / "kill.csv"
    kills = read_kills(kills_file) if kills_file.is_file() else None
    tree = SourceTree(source) if source is not None else None
    return Report.counted(
        "major",
        path,
        (_status(line, kills) for line in read_log(path)),
        lambda _: _parts(path, kills, tree),
        if_empty="an empty log, no mutants in it",
        root=source,
    )


def _status(line: LogLine, kills: dict[str, str] | None) -> tuple[Status, str]:
    if kills is None:
        return "unknown", ""
    word = kills.get(line.number, "")
    return (_STATUS.get(word, "unknown") if word else "pending"), word


_Entry = tuple[LogLine, Status, str]
"""A line, what became of its mutant, and Major's word for it."""


def _parts(
    path: Path, kills: dict[str, str] | None, tree: SourceTree | None
) -> Iterator[RowsPart[_Entry]]:
    """The lines of one file at a time: which site is meant depends on all that say the same."""
    entries = ((line, *_status(line, kills)) for line in read_log(path))
    rows = numbered(entries, lambda entry: entry[0].number)
    for _, of_file in groupby(rows, key=lambda row: row.entry[0].file):
        part = tuple(of_file)
        yield RowsPart(part, tuple(row.entry[1] for row in part), partial(_mutants, tree))


def _mutants(
    tree: SourceTree | None, rows: Sequence[Row[_Entry]], wanted: Sequence[bool]
) -> Iterator[ReportedMutant]:
    places = _located_all([row.entry[0] for row in rows], tree)
    for row, located in compress(zip(rows, places, strict=True), wanted):
        line, status, word = row.entry
        yield ReportedMutant(
            index=row.index,
            id=row.id,
            tool="major",
            file=line.file,
            language="java",
            status=status,
            tool_status=word,
            operator=line.operator,
            line=line.line or None,
            description=f"{line.symbols}: {line.code}"[:500],
            change=located.change,
            problem=located.problem,
        )


def _located_all(lines: list[LogLine], tree: SourceTree | None) -> Iterator[Located]:
    """The places of all lines of one file."""
    try:
        if tree is None:
            raise ReportError("not locatable: give --source, the root of the Java sources")
        sites = _Sites(tree.find(lines[0].file))
    except (ReportError, ParseError) as error:
        yield from (Located(None, str(error)) for _ in lines)
        return
    same = Counter(_key(line) for line in lines)
    met: Counter[tuple[object, ...]] = Counter()
    for line in lines:
        key = _key(line)
        yield sites.locate(line, met[key], same[key])
        met[key] += 1


def _key(line: LogLine) -> tuple[object, ...]:
    return line.type, line.method, line.line, line.operator, line.symbols, line.code


class _Sites:
    """The places of one source file where given code stands."""

    def __init__(self, source: SourceFile) -> None:
        self._source = source
        self._tree = source.tree
        self._tokens = tokenize(self._tree)
        self._starts = [token.start for token in self._tokens]

    def locate(self, line: LogLine, ordinal: int, occurrences: int) -> Located:
        """The mutant of a log line: the `ordinal`-th of so many lines that say the same."""
        problem = f"not locatable: the code is not on line {line.line}"
        for original, mutant in line.readings:
            sites = self._sites(line.line, original)
            chosen = self._chosen(sites, line.position, ordinal, occurrences)
            if chosen is not None:
                return self._replaced(chosen, mutant)
            if sites:
                problem = f"ambiguous: {len(sites)} sites fit"
        return Located(None, problem)

    def _sites(self, line: int, code: str) -> list[Node]:
        """Expressions and statements on that line whose tokens are those of the code."""
        starts = self._source.line_starts
        if not 1 <= line <= len(starts):
            return []
        wanted = _texts(code)
        first = bisect_left(self._starts, starts[line - 1])
        last = bisect_left(self._starts, starts[line] if line < len(starts) else 2**62)
        found = []
        for at in range(first, last):
            stretch = self._tokens[at : at + len(wanted)]
            if wanted and [token.text for token in stretch] == wanted:
                node = self._node(stretch)
                if node is not None:
                    found.append(node)
        return found

    def _node(self, stretch: tuple[Token, ...]) -> Node | None:
        start, end = stretch[0].start, stretch[-1].end
        node = self._tree.root.descendant_for_byte_range(start, end)
        exact = node is not None and (node.start_byte, node.end_byte) == (start, end)
        return node if exact else None

    def _chosen(
        self, sites: list[Node], position: int | None, ordinal: int, occurrences: int
    ) -> Node | None:
        """By position where the log has one, else by order; never by guessing."""
        if position is not None and len(sites) > 1:
            byte = len(self._source.text[:position].encode())
            around = [site for site in sites if site.start_byte <= byte < site.end_byte]
            if len(around) == 1:
                return around[0]
        if len(sites) == occurrences:
            return sites[ordinal]
        return None

    def _replaced(self, site: Node, mutant: str) -> Located:
        start, end = site.start_byte, site.end_byte
        if mutant == _NOTHING:
            parent = site.parent
            if parent is not None and parent.type == "expression_statement":
                start, end = parent.start_byte, parent.end_byte
            in_header = parent is not None and parent.type == "for_statement"
            replacement = "" if in_header and not site.type.endswith("_statement") else ";"
        else:
            replacement = self._grouped(start, end, mutant)
        return locate(self._source, start, end, replacement)

    def _grouped(self, start: int, end: int, mutant: str) -> str:
        """In parentheses, if its neighbours would otherwise tear the expression apart.

        Major changes the tree: `a * b * c` with `+` for the first sign means `(a + b) * c`.
        """
        function = enclosing_function(self._source, start, end)
        if function is None:
            return mutant
        head = self._source.data[function.start : start]
        text = head + mutant.encode(errors="replace") + self._source.data[end : function.end]
        stop = len(head) + len(mutant.encode(errors="replace"))
        node = parse(text, "java").root.descendant_for_byte_range(len(head), stop)
        whole = node is not None and (node.start_byte, node.end_byte) == (len(head), stop)
        return mutant if whole else f"({mutant})"


def _texts(code: str) -> list[str]:
    """The tokens of a piece of code, right or wrong."""
    try:
        return [token.text for token in tokenize(parse(code, "java"))]
    except ParseError:
        return []


def read_log(path: Path) -> Iterator[LogLine]:
    """All mutants of a log, line by line."""
    with reading(path), path.open(encoding="utf-8", errors="replace", newline="\n") as file:
        for number, line in enumerate(iter(lambda: file.readline(_MAX_LINE), ""), 1):
            if line.strip():
                yield _parsed(line.rstrip("\r\n"), path, number)


def _parsed(text: str, path: Path, number: int) -> LogLine:
    match = next((match for form in _LINE if (match := form.match(text))), None)
    if match is None or _ARROW.strip() not in match["code"]:
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
    with reading(path):
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    for number, line in enumerate(lines, 1):
        match = _KILL_ROW.match(line)
        if match:
            kills[match[1]] = match[2].upper()
        elif line.strip() and number > 1:
            raise ReportError(f"{path}, line {number}: not a row of Major's kill.csv")
    return kills
