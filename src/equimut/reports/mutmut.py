"""mutmut 3: a `mutants/` directory, every source file there with all its mutants and a `.meta`.

The copy of `till.py` holds each function as `x_add__mutmut_orig` and each mutant of it as
`x_add__mutmut_1`, ...; a method of a class as `xǁTillǁadd__mutmut_1`. The change is what differs
between the two, moved to the function of the real source that has the same text.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import compress
from pathlib import Path
from typing import NamedTuple

from equimut.errors import ParseError
from equimut.parsing.functions import Function
from equimut.reports.json_stream import (
    JsonFault,
    as_integer,
    json_events,
    members,
    reading_json,
    skip,
)
from equimut.reports.locating import Located, Row, RowsPart, at_most, edit_between, locate, numbered
from equimut.reports.reported import Report, ReportedMutant, ReportError, Status
from equimut.reports.sources import SourceFile, SourceTree

_FOLDER = "mutants"
_META = ".meta"
_MARK = "__mutmut_"
_CLASS = "ǁ"

_WORDS: dict[int | None, str] = {
    None: "not checked",
    0: "survived",
    1: "killed",
    2: "check was interrupted by user",
    3: "killed",
    5: "no tests",
    24: "timeout",
    33: "no tests",
    34: "skipped",
    35: "suspicious",
    36: "timeout",
    37: "caught by type check",
    152: "timeout",
    255: "timeout",
    -9: "segfault",
    -11: "segfault",
    -24: "timeout",
}
"""Exit code of the test run -> mutmut's own word; any other code is `suspicious`."""

_STATUS: dict[str, Status] = {
    "not checked": "pending",
    "survived": "survived",
    "killed": "killed",
    "check was interrupted by user": "pending",
    "no tests": "no_coverage",
    "timeout": "timeout",
    "skipped": "ignored",
    "caught by type check": "compile_error",
    "segfault": "runtime_error",
}


class _Entry(NamedTuple):
    file: str
    """The source file, below the directory of mutants."""
    key: str
    word: str

    @property
    def status(self) -> Status:
        return _STATUS.get(self.word, "unknown")


def read_mutmut(path: Path, source: Path | None) -> Report:
    """Read the results of a run; `source` is the project, else what is around `mutants/`."""
    folder, metas = _meta_files(path)
    root = source or (folder.parent if folder.name == _FOLDER else folder)
    statuses = ((entry.status, entry.word) for entry in _entries(folder, metas))
    trees = SourceTree(folder), SourceTree(root)
    return Report.counted(
        "mutmut", path, statuses, lambda most: _parts(folder, metas, trees, most), root=root
    )


def _meta_files(path: Path) -> tuple[Path, list[Path]]:
    """The directory of mutants and the result files that are meant."""
    above = next((each for each in path.absolute().parents if each.name == _FOLDER), None)
    if path.is_file():
        return (above, [path.absolute()]) if above else (path.parent, [path])
    folder, searched = path, path
    if path.name != _FOLDER:
        if below := _folders_below(path):
            folder = searched = below
        elif above:
            folder, searched = above, path.absolute()
    metas = [
        file for file in searched.rglob(f"*{_META}") if file.is_file() and not file.is_symlink()
    ]
    if not metas:
        raise ReportError(f"{path}: no results of mutmut 3 in it (files like 'till.py.meta')")
    return folder, sorted(metas)


def _folders_below(path: Path) -> Path | None:
    """The directory of mutants of the project here, or of the only one below.

    Paths in the results of a project begin at that project, so several cannot be one report.
    """
    if (path / _FOLDER).is_dir():
        return path / _FOLDER
    found = set()
    for meta in path.rglob(f"*{_META}"):
        parts = meta.relative_to(path).parts
        if _FOLDER in parts:
            found.add(path.joinpath(*parts[: parts.index(_FOLDER) + 1]))
    if len(found) > 1:
        named = ", ".join(sorted(str(folder.parent) for folder in found))
        raise ReportError(f"{path}: several mutmut projects below it; scan each of them: {named}")
    return next(iter(found), None)


def _entries(folder: Path, metas: list[Path]) -> Iterator[_Entry]:
    for meta in metas:
        file = meta.relative_to(folder).as_posix().removesuffix(_META)
        with reading_json(meta), meta.open("rb") as stream:
            events = json_events(stream)
            if next(events)[0] != "start_map":
                raise JsonFault("not a result file of mutmut 3: the JSON is not an object")
            for name, first in members(events):
                if name != "exit_code_by_key" or first[0] != "start_map":
                    skip(first, events)
                    continue
                for key, code in members(events):
                    number = None if code[0] == "null" else as_integer(code[1])
                    known = code[0] == "null" or number is not None
                    word = _WORDS.get(number, "suspicious") if known else "suspicious"
                    skip(code, events)
                    yield _Entry(file, key, word)


def _parts(
    folder: Path, metas: list[Path], trees: tuple[SourceTree, SourceTree], most: int
) -> Iterator[RowsPart[_Entry]]:
    for rows in at_most(numbered(_entries(folder, metas), lambda entry: entry.key), most):
        statuses = tuple(row.entry.status for row in rows)
        yield RowsPart(rows, statuses, partial(_mutants, *trees))


def _mutants(
    copies: SourceTree, tree: SourceTree, rows: Sequence[Row[_Entry]], wanted: Sequence[bool]
) -> Iterator[ReportedMutant]:
    for row in compress(rows, wanted):
        entry = row.entry
        module = _module(entry.file, copies, tree)
        located = module.locate(entry.key)
        change, origin = located.change, module.source
        yield ReportedMutant(
            index=row.index,
            id=row.id,
            tool="mutmut",
            file=entry.file,
            language="python",
            status=entry.status,
            tool_status=entry.word,
            operator="",
            line=origin.line(change.start_byte) if origin and change else None,
            end_line=origin.line(change.end_byte) if origin and change else None,
            change=change,
            problem=located.problem,
        )


@lru_cache(maxsize=1)  # the mutants of one file follow each other
def _module(file: str, copies: SourceTree, tree: SourceTree) -> "_Module":
    return _Module(file, copies, tree)


class _Module:
    """One source file and mutmut's copy of it."""

    def __init__(self, file: str, copies: SourceTree, tree: SourceTree) -> None:
        self.file = file
        self.source: SourceFile | None = None
        self._problem: str | None = None
        self._copied: dict[str, str] = {}
        self._origins: dict[str, Function | str] = {}
        try:
            copy = copies.find(file)
            self._copied = {
                function.name: copy.data[function.start : function.end].decode()
                for function in copy.functions
                if _MARK in function.name
            }
            self.source = tree.find(file)
        except (ReportError, ParseError) as error:
            self._problem = str(error)

    def locate(self, key: str) -> Located:
        """The change that mutmut names so."""
        if self.source is None:
            return Located(None, self._problem)
        name = key.rsplit(".", 1)[-1]
        mangled, mark, _ = name.rpartition(_MARK)
        original, mutant = self._copied.get(f"{mangled}{_MARK}orig"), self._copied.get(name)
        if not mark or original is None or mutant is None:
            return Located(None, f"not locatable: no function {name!r} in mutmut's copy")
        plain = mangled.rsplit(_CLASS, 1)[-1] if _CLASS in mangled else mangled.removeprefix("x_")
        before = original.replace(f"{mangled}{_MARK}orig", plain, 1)
        after = mutant.replace(name, plain, 1)
        if mangled not in self._origins:
            self._origins[mangled] = _origin(self.source, plain, before)
        function = self._origins[mangled]
        if isinstance(function, str):
            return Located(None, function)
        start, end, replacement = edit_between(before.encode(), after.encode())
        return locate(self.source, function.start + start, function.start + end, replacement)


def _origin(source: SourceFile, name: str, text: str) -> Function | str:
    """The one function of the source with this name and text, or why there is none."""
    try:
        named = [function for function in source.functions if function.name == name]
    except ParseError as error:
        return f"not locatable: {error}"
    same = [f for f in named if source.data[f.start : f.end] == text.encode()]
    if len(same) == 1:
        return same[0]
    if same:
        return f"ambiguous: {len(same)} functions named {name!r} have the same text"
    return f"not locatable: {name!r} has changed in the source since mutmut ran"
