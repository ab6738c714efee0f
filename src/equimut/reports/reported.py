"""The content of a mutation tool's report, the same for every tool: frozen records, no I/O."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from equimut.errors import EquimutError
from equimut.records import NonEmpty, Record

Status = Literal[
    "killed", "survived", "no_coverage", "timeout", "compile_error", "runtime_error", "ignored",
    "pending", "unknown",
]  # fmt: skip
"""What became of a mutant, in one vocabulary for all tools."""

STATUSES: tuple[Status, ...] = get_args(Status)
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
    start_line: int
    """The line (1-based) of the file where `origin_function` starts."""
    start_byte: int
    end_byte: int
    """The span of the file that changes, end exclusive."""
    original: str
    replacement: str
    origin_function: str
    mutant_function: str


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
    read: Callable[[], Iterator[ReportedMutant]] = field(repr=False, compare=False)

    @classmethod
    def counted(
        cls,
        name: str,
        path: Path,
        statuses: Iterable[tuple[Status, str]],
        read: Callable[[], Iterator[ReportedMutant]],
        *,
        tool: str = "",
        version: str = "",
        if_empty: str = "",
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
        return cls(name, tool or name, version, path, counts, dict(theirs.most_common()), read)

    def mutants(self) -> Iterator[ReportedMutant]:
        """All mutants in the order of the report, located in the source where possible."""
        return self.read()

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
