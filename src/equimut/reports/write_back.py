"""Equivalent mutants marked in a report, the way the tool itself marks them, in a new file."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from equimut.reports.reported import Report, ReportError

WRITERS: dict[str, tuple[str, str]] = {
    "elements": ("elements.write_back", "write_elements"),
    "cosmic-ray": ("cosmic_ray.write_back", "write_cosmic_ray"),
    "pit": ("pit.write_back", "write_pit"),
}
"""Format -> module of this folder and its writer: `writer(path, marks, out) -> None`."""

Marks = Mapping[int, str]
"""Position of a mutant in the report (`ReportedMutant.index`) -> the reason to give."""


def write_back(report: Report, marks: Marks, out: Path) -> None:
    """Write a copy of the report in which the given mutants are marked as not worth a test.

    The copy is written whole or not at all, and the report itself is never touched.
    """
    check_target(report, out)
    if beyond := [index for index in marks if not 0 <= index < report.total]:
        raise ReportError(f"{report.path}: no mutant at position {beyond[0]} of {report.total}")
    module, function = WRITERS[report.format]
    getattr(import_module(f"equimut.reports.{module}"), function)(report.path, marks, out)


def check_target(report: Report, out: Path) -> None:
    """Refuse what cannot be written back, or would overwrite the report."""
    if report.format not in WRITERS:
        raise ReportError(
            f"{report.path}: nothing can be written back into a {report.format} report; "
            f"possible for: {', '.join(WRITERS)}"
        )
    if out.exists() and out.samefile(report.path):
        raise ReportError(f"{out} is the report itself; name a new file")
