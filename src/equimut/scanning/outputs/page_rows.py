"""The mutants as the page gets them: JSON that is safe inside a script element."""

import json
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

from markupsafe import Markup

from equimut.scanning.outputs import wording
from equimut.scanning.outputs.change_view import change_view
from equimut.scanning.outputs.findings import finding_of, gap_order
from equimut.scanning.records import ScanResult, ScanVerdict
from equimut.storage.files import shown

MAX_LINES = 400
"""Lines of a function that the page gets; of a longer one only those around the change."""
_ESCAPES = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&"}


def embedded(value: Any) -> Markup:
    """JSON that ends no script element and starts no comment: `<`, `>` and `&` are escaped.

    So is everything outside ASCII, which covers U+2028 and lone surrogates.
    """
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return Markup(text.translate(_ESCAPES))


def rows(result: ScanResult) -> Iterator[Markup]:
    """The elements of a JSON array, one mutant at a time.

    The code of a function stands in the first row that needs it; later ones name its number.
    """
    known: dict[bytes, int] = {}
    for number, verdict in enumerate(result.verdicts()):
        yield Markup("," if number else "") + embedded(_row(verdict, known))


def _row(verdict: ScanVerdict, known: dict[bytes, int]) -> dict[str, Any]:
    mutant = verdict.mutant
    row: dict[str, Any] = {
        "rank": gap_order(verdict),
        "finding": finding_of(verdict),
        "tier": verdict.tier,
        "counts": verdict.counts,
        "evidence": wording.evidence(verdict),
        "p": verdict.probability,
        "file": shown(mutant.file),
        "line": mutant.line,
        "operator": shown(mutant.operator),
        "status": wording.STATUS_WORDS[mutant.status],
        "id": shown(mutant.id),
        "description": shown(mutant.description),
        "reason": shown(verdict.reason),
        "details": shown(verdict.details),
        "tests": mutant.covering_tests,
        "key": None if verdict.key is None else verdict.key.text,
        "accept": wording.accept_command(verdict),
        "reject": wording.reject_command(verdict),
        "test": "\n".join(map(shown, verdict.test.split("\n"))),
    }
    if verdict.nearest is not None:
        example = verdict.nearest
        row["nearest"] = {
            "change": shown(example.change),
            "label": example.label,
            "source": shown(example.source),
            "similarity": round(example.similarity, 3),
        }
    if mutant.change is not None:
        row |= _code(verdict, known)
    return {name: value for name, value in row.items() if value not in (None, "")}


def _code(verdict: ScanVerdict, known: dict[bytes, int]) -> dict[str, Any]:
    change = verdict.mutant.change
    if change is None:
        return {}
    view = change_view(change)
    first, start = view.first, view.start_line
    lines = view.lines
    if len(lines) > MAX_LINES:  # a window of its own for each such mutant
        skipped = max(first - MAX_LINES // 2, 0)
        lines, first, start = lines[skipped : skipped + MAX_LINES], first - skipped, start + skipped
    text = "\n".join(lines)
    digest = blake2b(text.encode(errors="replace"), digest_size=16).digest()
    code: dict[str, Any] = {
        "function": shown(change.function),
        "start": start,
        "first": first,
        "before": view.before[:MAX_LINES],
        "after": view.after[:MAX_LINES],
        "inline": view.inline,
    }
    if digest not in known:
        known[digest] = len(known)
        code["text"] = text
    return code | {"code": known[digest]}
