"""`--format html`: one file that needs nothing else, for people who look at many mutants."""

from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

import equimut
from equimut.scanning.outputs import wording
from equimut.scanning.outputs.findings import FINDINGS, LABELS, MEANINGS, Digest
from equimut.scanning.outputs.page_rows import embedded, rows
from equimut.scanning.records import ScanResult
from equimut.storage.files import counted, shown

PAGE = Path(__file__).with_name("page")
_TIERS = {
    "killed": "input found",
    "predicted": "predicted",
    "unrefuted": "not refuted",
    "accepted": "accepted",
    "rejected": "rejected",
    "proved": "proved",
    "unknown": "none",
}


def pieces(result: ScanResult) -> Iterator[str]:
    """The page; its rows are made while it is written, so that they are never all in memory."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(PAGE), autoescape=True, undefined=jinja2.StrictUndefined
    )
    style, script = ((PAGE / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    counts = _Counts(result)
    return environment.get_template("page.html.j2").generate(
        policy=_policy(style, script),
        version=equimut.__version__,
        style=Markup(style),
        script=Markup(script),
        tool=shown(wording.tool(result.report)),
        path=shown(wording.report_name(result.report)),
        headline=counts.headline,
        lead=counts.lead,
        scores=list(_scores(result)),
        parts=list(counts.parts()),
        notes=_notes(result),
        meanings=[(finding, LABELS[finding], MEANINGS[finding]) for finding in FINDINGS],
        labels=embedded({"findings": LABELS, "tiers": _TIERS}),
        rows=rows(result),
    )


class _Counts:
    """How many mutants there are of each finding, and what that means for somebody."""

    def __init__(self, result: ScanResult) -> None:
        digest = Digest(result, limit=0)
        self._findings = digest.findings
        self._settled = digest.settled.total
        self._noun = "mutant" if digest.without_status else "survivor"

    @property
    def headline(self) -> str:
        """The answer to what people come for."""
        gaps, total = self._findings["worth-a-test"], self._survivors
        if not total:
            return "No mutant survived"
        if self._findings["cannot-tell"] == total:
            return f"No verdict on {counted(total, self._noun)}: decide yourself"
        if not gaps:
            return f"None of {total:,} {self._noun}s is known to be worth a test"
        if total == 1:
            return f"The one {self._noun} is worth a test"
        all_of = "All" if gaps == total else f"{gaps:,} of"
        return f"{all_of} {total:,} {self._noun}s {'is' if gaps == 1 else 'are'} worth a test"

    @property
    def lead(self) -> str:
        """What the others are."""
        unknown, undecided = self._findings["cannot-tell"], self._findings["undecided"]
        gaps = self._findings["worth-a-test"]
        open_ones = self._survivors - gaps - undecided - unknown - self._settled
        parts = [
            f"{number:,} {one if number == 1 else many}"
            for number, one, many in (
                (self._settled, "is taken as equivalent", "are taken as equivalent"),
                (open_ones, "may be equivalent but is not counted",
                 "may be equivalent but are not counted"),
                (undecided, "is undecided", "are undecided"),
                (unknown, "has no verdict", "have no verdict"),
            )
            if number
        ]  # fmt: skip
        return "; ".join(parts) + "." if parts else ""

    @property
    def _survivors(self) -> int:
        return self._findings.total() - self._findings["detected"]

    def parts(self) -> Iterator[dict[str, Any]]:
        """The findings that occur, as parts of a bar of 1000 units with a small gap between."""
        present = [finding for finding in FINDINGS if self._findings[finding]]
        at = 0.0
        for finding in present:
            width = 1000 * self._findings[finding] / self._findings.total()
            yield {
                "finding": finding,
                "label": LABELS[finding],
                "meaning": MEANINGS[finding],
                "count": f"{self._findings[finding]:,}",
                "x": f"{at:.2f}",
                "width": f"{max(width - 2, 1):.2f}",
            }
            at += width


def _scores(result: ScanResult) -> Iterator[dict[str, Any]]:
    for name, value, meaning in wording.score_rows(result):
        number, _, unit = wording.percent(value).partition(" ")
        width = 0 if value is None else 100 * value
        yield {
            "name": name,
            "value": number,
            "unit": unit,
            "meaning": meaning,
            "width": f"{width:.2f}",
        }


def _notes(result: ScanResult) -> list[tuple[str, str]]:
    report = result.report
    ran = [] if result.oracle is None else [wording.oracle_lines(result.oracle)]
    return [
        ("Report", f"{_sentence(wording.mutants(report.total))}: {wording.statuses(report)}."),
        ("What counts", f"{_sentence(wording.counting_rule(result))}."),
        ("Check on killed mutants", f"{_sentence(wording.killed_check(result.killed))}."),
        *(("Oracle", f"{_sentence('; '.join(lines))}.") for lines in ran),
        *(("Note", shown(note)) for note in result.notes),
    ]


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _policy(style: str, script: str) -> str:
    """Nothing is loaded, and only the style and the script of this page apply."""
    return "; ".join(
        (
            "default-src 'none'",
            f"style-src '{_digest(style)}'",
            f"script-src '{_digest(script)}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _digest(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()
