"""A small report for every reader, made by hand, and the real ones where they are."""

import difflib
import shutil
from collections.abc import Callable
from pathlib import Path

from conftest import ROOT, shared_file
from oracles.reports.report_files import cosmic_ray_session
from oracles.scans.scan_project import JAVA, java_report

SAMPLES = ROOT / "tests" / "reports" / "samples"
PIT_PROJECT = ROOT / "tests" / "reports" / "pit_project"
PYTHON = (SAMPLES / "shop_till.txt").read_text(encoding="utf-8")
"""A module of a shop, and what its mutants are made of."""

Made = tuple[Path, Path | None, str]
"""A report, the root of its sources, its format."""


def mutmut_project(folder: Path) -> Path:
    """A project as mutmut 3.8 leaves it."""
    for file, sample in {
        "src/shop/till.py": "shop_till.txt",
        "mutants/src/shop/till.py": "mutmut_till.txt",
        "mutants/src/shop/till.py.meta": "mutmut_till.meta.json",
    }.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SAMPLES / sample, folder / file)
    return folder


def mutant_texts() -> list[str]:
    """The module with one operator changed, for each that a line has."""
    found = []
    for old, new in ((" < ", " <= "), (" + ", " - "), (" - ", " + "), (" * ", " / "), ("0", "1")):
        if old in PYTHON:
            found.append(PYTHON.replace(old, new, 1))
    return found


def diff_of(mutant: str) -> str:
    """A mutant of the module as a plain diff."""
    lines = (text.splitlines(keepends=True) for text in (PYTHON, mutant))
    return "".join(difflib.unified_diff(*lines, "a/till.py", "b/till.py"))


def _mutmut(folder: Path) -> Made:
    return mutmut_project(folder), None, "mutmut"


def _diffs(folder: Path) -> Made:
    (folder / "till.py").write_text(PYTHON, encoding="utf-8")
    for number, text in enumerate(mutant_texts()):
        (folder / f"{number}.diff").write_text(diff_of(text), encoding="utf-8")
    return folder, folder, "diff"


def _pairs(folder: Path) -> Made:
    (folder / "old.py").write_text(PYTHON, encoding="utf-8")
    (folder / "new.py").write_text(mutant_texts()[0], encoding="utf-8")
    return folder / "new.py", folder / "old.py", "pair"


def _universalmutator(folder: Path) -> Made:
    (folder / "till.py").write_text(PYTHON, encoding="utf-8")
    for number, text in enumerate(mutant_texts()):
        (folder / f"till.mutant.{number}.py").write_text(text, encoding="utf-8")
    return folder, folder, "universalmutator"


def _cosmic_ray(folder: Path) -> Made:
    (folder / "till.py").write_text(PYTHON, encoding="utf-8")
    rows = [
        {"job": str(number), "file": "till.py", "diff": diff_of(text), "worker": "NORMAL",
         "test": "SURVIVED"}
        for number, text in enumerate(mutant_texts())
    ]  # fmt: skip
    return cosmic_ray_session(folder / "session.sqlite", rows), folder, "cosmic-ray"


def _pit(folder: Path) -> Made:
    return PIT_PROJECT / "mutations.xml", PIT_PROJECT / "src", "pit"


def _major(folder: Path) -> Made:
    (folder / "Queue.java").write_text(JAVA, encoding="utf-8")
    line = "1:AOR:*(int,int):/(int,int):Queue@step(int,int):13:a * b |==> a / b\n"
    (folder / "mutants.log").write_text(line, encoding="utf-8")
    return folder / "mutants.log", folder, "major"


def _elements(folder: Path) -> Made:
    return java_report(folder), None, "elements"


BY_HAND: dict[str, Callable[[Path], Made]] = {
    "mutmut": _mutmut,
    "diff": _diffs,
    "pair": _pairs,
    "universalmutator": _universalmutator,
    "cosmic-ray": _cosmic_ray,
    "pit": _pit,
    "major": _major,
    "elements": _elements,
}
"""What each reader reads; cargo-mutants comes with the real reports only."""

REAL: tuple[tuple[str, str | None], ...] = (
    ("elements/rust-example_report.json", None),
    ("elements/simple-example_mutation-report.json", None),
    ("elements/scala-example_mutation-report.json", None),
    ("elements/strict-report-v2.json", None),
    ("elements/infection-php-example_report.json", None),
    ("elements/strykerjs_toy_mutation.json", None),
    ("elements/csharp-example_mutation-report.json", None),
    ("elements/pitest-example_report.js", None),
    ("elements/python-example_report.js", None),
    ("pit/mutations_full-data.xml", "pit"),
    ("pit/mutation_snippet.xml", "pit"),
    ("major/mutants_triangle.log", "major"),
    ("cosmic-ray/session.sqlite", "cosmic-ray"),
    ("cosmic-ray/dump_first8.jsonl", "cosmic-ray"),
    ("cargo-mutants/outcomes.json", "cargo-mutants"),
)
"""Reports that real tools wrote, each with the root of its sources."""


def real_report(name: str, source: str | None) -> tuple[Path, Path | None]:
    """One of them, or a plain skip."""
    root = None if source is None else shared_file("samples", source)
    return shared_file("samples", *name.split("/")), root
