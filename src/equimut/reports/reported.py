"""What a mutation tool's report says, the same for every tool, and the reader for each."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Literal, Protocol, get_args

from pydantic import Field

from equimut.errors import EquimutError
from equimut.records import NonEmpty, Record

Status = Literal[
    "killed", "survived", "no_coverage", "timeout", "compile_error", "runtime_error", "ignored",
    "pending", "unknown",
]  # fmt: skip
"""What became of a mutant, in one vocabulary for all tools."""

STATUSES: tuple[Status, ...] = get_args(Status)
_AT_ONCE = 64
"""Mutants that are read at a time where they are located one after the other."""
MAX_REASON = 500
"""Characters kept of a status reason: some tools put the whole output of a test run there."""


class ReportError(EquimutError):
    """A report, or a source file it names, that cannot be read."""


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn the system's refusal to read a file into one line."""
    try:
        yield
    except OSError as error:
        raise ReportError(f"cannot read {path}: {error.strerror}") from None


class Change(Record):
    """What is needed to build the mutant: where the source changes, and the code around it.

    Byte offsets count the source text in UTF-8, without a byte order mark.
    """

    scope: Literal["function", "lines"]
    """`function`: the two texts are one parsed function before and after. `lines`: whole lines
    around the change, because it is in no function or there is no grammar for the language."""
    function: str
    """The function's name; empty where `scope` is `lines`."""
    owner: str = ""
    """The classes and functions it stands in."""
    start_line: int
    """The line (1-based) of the file where `origin_function` starts."""
    start_byte: int
    end_byte: int
    """The span of the file that changes, end exclusive."""
    original: str
    replacement: str
    origin_function: str
    mutant_function: str
    file_text: str | None = Field(default=None, exclude=True, repr=False)
    """The whole file before the change, where `scope` is `function`: known as long as the mutant is
    in memory, and never written with it."""


class ReportedMutant(Record):
    """One mutant as a report states it, and where it is in the source if that is known."""

    index: int
    """Position in the report, from 0: unique even where a tool repeats an id."""
    id: NonEmpty
    """The tool's own id, or one made from the content; unique within the file."""
    tool: str
    file: str
    """The source file, as written in the report."""
    language: str
    """A name of ours (`java`, `c`, `python`), or the tool's own word."""
    status: Status
    tool_status: str
    """The tool's own word for the status."""
    status_reason: str = ""
    operator: str
    line: int | None
    end_line: int | None = None
    description: str = ""
    covering_tests: int | None = None
    killing_tests: int | None = None
    change: Change | None = None
    problem: str | None = None
    """Why the change cannot be built or judged, in one line; None if nothing is in the way."""

    @property
    def analysable(self) -> bool:
        """Whether there is a function before and after, in a language with a grammar here."""
        return self.problem is None and self.change is not None and self.change.scope == "function"


class ReportPart(Protocol):
    """Some mutants of a report that follow each other; it may be sent to another process."""

    @property
    def statuses(self) -> Sequence[Status]:
        """What became of each of them."""

    def located(self, wanted: Sequence[bool]) -> Iterator[ReportedMutant]:
        """Those of them that are wanted, located in the source where possible."""


@dataclass(frozen=True)
class Report:
    """A report that was read through once: it is whole, and counted.

    The mutants are not kept: each call of `mutants` reads them again, one at a time, so that
    memory does not grow with the report.
    """

    format: str
    tool: str
    tool_version: str
    path: Path
    counts: Mapping[Status, int]
    tool_counts: Mapping[str, int]
    """The same count in the tool's own words."""
    read_parts: Callable[[int], Iterator[ReportPart]] = field(repr=False, compare=False)
    """Reads parts of about so many mutants, which are located where they are wanted."""
    root: Path | None = None
    """Where its sources were looked for, if they do not stand in the report itself."""

    @classmethod
    def counted(
        cls,
        name: str,
        path: Path,
        statuses: Iterable[tuple[Status, str]],
        read_parts: Callable[[int], Iterator[ReportPart]],
        *,
        tool: str = "",
        version: str = "",
        if_empty: str = "",
        root: Path | None = None,
    ) -> "Report":
        """A report in the format `name`, its mutants counted by (our status, the tool's word).

        `if_empty`: what is wrong with a report that has no mutants, where that is wrong.
        """
        ours: Counter[Status] = Counter()
        theirs: Counter[str] = Counter()
        for status, word in statuses:
            ours[status] += 1
            theirs[word] += 1
        if if_empty and not ours:
            raise ReportError(f"{path}: {if_empty}")
        counts = {status: ours[status] for status in STATUSES if ours[status]}
        words = dict(theirs.most_common())
        return cls(name, tool or name, version, path, counts, words, read_parts, root)

    def mutants(self) -> Iterator[ReportedMutant]:
        """All mutants in the order of the report, located in the source where possible."""
        for part in self.parts(_AT_ONCE):
            yield from part.located([True] * len(part.statuses))

    def parts(self, most: int) -> Iterator[ReportPart]:
        """The same in parts of about so many, located where `ReportPart.located` is called.

        Mutants that are located together, such as PIT's of one class, are in one part.
        """
        return self.read_parts(most)

    @property
    def total(self) -> int:
        """The number of mutants, whatever their status."""
        return sum(self.counts.values())


class UniqueIds:
    """Ids that stay unique where a report repeats them: the second `7` becomes `7~2`."""

    def __init__(self) -> None:
        self._times: dict[str, int] = {}

    def add(self, given: str) -> str:
        """The id to use for the next mutant that claims this one."""
        name = candidate = given or "unnamed"
        number = self._times.get(name, 0) + 1
        while number > 1 and (candidate := f"{name}~{number}") in self._times:
            number += 1  # the report has an id that looks like one of these
        self._times[name] = number
        self._times.setdefault(candidate, 1)
        return candidate


FORMATS: dict[str, tuple[str, str]] = {
    "elements": ("elements.read", "read_elements"),
    "pit": ("pit.read", "read_pit"),
    "major": ("major", "read_major"),
    "mutmut": ("mutmut", "read_mutmut"),
    "cosmic-ray": ("cosmic_ray.session", "read_cosmic_ray"),
    "cargo-mutants": ("cargo_mutants", "read_cargo_mutants"),
    "universalmutator": ("file_pairs", "read_universalmutator"),
    "equimut": ("file_pairs", "read_mutated"),
    "diff": ("diffs", "read_diffs"),
    "pair": ("file_pairs", "read_pairs"),
}
"""Format -> module of this folder and its reader: `reader(path, source) -> Report`."""

_START = 64 * 1024
_DIRECTORY_MARKS: tuple[tuple[str, str], ...] = (
    ("mutants.log", "major"),
    ("mutations.xml", "pit"),
    ("outcomes.json", "cargo-mutants"),
    ("mutants.json", "cargo-mutants"),
    ("mutants.out", "cargo-mutants"),
    ("mutants.jsonl", "equimut"),
    ("mutation.json", "elements"),
    ("mutation-report.json", "elements"),
)
_MAJOR_LINE = re.compile(r"^\d+:[A-Z]+:.*:\d+:.*\|==>", re.M)
_HUNK = re.compile(r"^@@ -\d+(,\d+)? \+\d+(,\d+)? @@", re.M)
_JSON = re.compile(r'\{|\[\s*[\[\]{"]')
_PAGE = re.compile(r"<!doctype html|<html", re.I)
_PIT = re.compile(r"<mutations\b|<mutation\s[^>]*\b(detected|status)=")
_SCRIPT = re.compile(r"\breport\s*=\s*\{")


def read_report(path: str | Path, source: str | Path | None = None, format: str = "auto") -> Report:
    """Read a mutation tool's report.

    `source` is the directory that the paths in the report are relative to; where it is left out,
    the report's own source text or the place where the tool usually is run is taken.
    """
    path, source = Path(path), None if source is None else Path(source)
    if not path.exists():
        raise ReportError(f"{path}: no such report")
    if not (path.is_file() or path.is_dir()):
        raise ReportError(f"{path}: not a plain file; a report is one, or a directory")
    name = detect_format(path) if format == "auto" else format
    if name not in FORMATS:
        raise ReportError(f"unknown report format {name!r}; known: {', '.join(FORMATS)}")
    if source is not None and not source.exists():
        raise ReportError(f"{source}: no such directory; give --source the root of the sources")
    module, function = FORMATS[name]
    # Imported on use: a reader may need a parser, an XML library, SQLite.
    reader = getattr(import_module(f"equimut.reports.{module}"), function)
    report: Report = reader(_entry_file(path, name), source)
    return report


def detect_format(path: Path) -> str:
    """The format of a report, by what is in it rather than by its name."""
    found = _format_of_directory(path) if path.is_dir() else _format_of_file(path)
    if found is None:
        raise ReportError(
            f"{path}: not recognised as a report; name its format: {', '.join(FORMATS)}"
        )
    return found


def _entry_file(path: Path, name: str) -> Path:
    """In a directory of one format, the file that its reader wants."""
    if path.is_dir() and name in ("elements", "pit", "major"):
        for mark, format_ in _DIRECTORY_MARKS:
            if format_ == name and (path / mark).is_file():
                return path / mark
        raise ReportError(f"{path}: no {name} report in this directory; name the file itself")
    return path


def _format_of_directory(path: Path) -> str | None:
    for mark, name in _DIRECTORY_MARKS:
        if (path / mark).exists():
            return name
    if next(path.rglob("*.py.meta"), None):
        return "mutmut"
    if next(path.rglob("*.mutant.*.*"), None):
        return "universalmutator"
    if next(path.rglob("*.diff"), None) or next(path.rglob("*.patch"), None):
        return "diff"
    return None


def _format_of_file(path: Path) -> str | None:
    with reading(path), path.open("rb") as file:
        start = file.read(_START)
    if not start.strip():
        raise ReportError(f"{path}: the file is empty")
    if start.startswith(b"SQLite format 3\0"):
        return "cosmic-ray"
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = start[: len(start) // 2 * 2].decode("utf-16", errors="replace").lstrip()
    else:
        text = start.decode("utf-8-sig", errors="replace").lstrip()
    if text.startswith("<"):
        return _format_of_markup(text)
    if _JSON.match(text):
        return _format_of_json(path, text)
    if _MAJOR_LINE.search(text):
        return "major"
    if _HUNK.search(text):
        return "diff"
    return "elements" if _SCRIPT.search(text) else None


def _format_of_markup(text: str) -> str | None:
    if _PAGE.match(text):
        return "elements"
    return "pit" if _PIT.search(text) else None


def _format_of_json(path: Path, text: str) -> str | None:
    if path.suffix == ".meta" or '"exit_code_by_key"' in text:
        return "mutmut"
    if text.startswith('[{"job_id"'):
        return "cosmic-ray"
    # The first key decides where it can; a report's own `files` may stand at its very end.
    if '"outcomes"' in text[:200] or (text.startswith("[") and '"genre"' in text):
        return "cargo-mutants"
    if path.name == "mutants.jsonl":
        return "equimut"
    return "elements" if text.startswith("{") else None
