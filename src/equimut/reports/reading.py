"""Which tool made a report, and the reader for it."""

import re
from importlib import import_module
from pathlib import Path

from equimut.reports.reported import Report, ReportError, reading

FORMATS: dict[str, tuple[str, str]] = {
    "elements": ("elements.read", "read_elements"),
    "pit": ("pit.read", "read_pit"),
    "major": ("major", "read_major"),
    "mutmut": ("mutmut", "read_mutmut"),
    "cosmic-ray": ("cosmic_ray.session", "read_cosmic_ray"),
    "cargo-mutants": ("cargo_mutants", "read_cargo_mutants"),
    "universalmutator": ("file_pairs", "read_universalmutator"),
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
    return "elements" if text.startswith("{") else None
