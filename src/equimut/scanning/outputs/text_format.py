"""`--format text`: what a person wants to see in the terminal, with and without colour."""

from collections.abc import Iterator
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.text import Text

from equimut.reports.reported import Change
from equimut.scanning.outputs import wording
from equimut.scanning.outputs.change_view import Line, change_view, one_line
from equimut.scanning.outputs.findings import FINDINGS, LABELS, Digest, Finding, Ranking, finding_of
from equimut.scanning.records import ScanResult, ScanVerdict
from equimut.storage.files import counted, shown, write_bytes

CONTEXT = 1
MAX_LINES = 12
"""Changed lines shown of each side."""
_LEAD = 8
"""Columns that sign and line number take."""


def diff_lines(change: Change, width: int, *, carets: bool) -> Iterator[Text]:
    """The rows of a change; `carets` marks the edit where there is no colour to do it."""
    view = change_view(change)
    room = max(width - _LEAD, 20)
    before, after = view.context(CONTEXT)
    for at in before:
        yield _row(" ", view.start_line + at, (view.lines[at],), "dim", room)
    for sign, lines, style in (("-", view.before, "red"), ("+", view.after, "green")):
        for number, line in enumerate(lines[:MAX_LINES]):
            shift = _shift(line, room)
            yield _row(sign, view.start_line + view.first + number, line, style, room)
            if carets and (marks := _marks(line, shift, room)):
                yield Text(" " * _LEAD + marks)
        if len(lines) > MAX_LINES:
            yield Text(f"{sign}      … {counted(len(lines) - MAX_LINES, 'more line')}", style)
    for at in after:
        yield _row(" ", view.start_line + at, (view.lines[at],), "dim", room)


def _row(sign: str, number: int, line: Line, style: str, room: int) -> Text:
    text = Text()
    for at, piece in enumerate(line):
        text.append(piece, f"bold reverse {style}" if at % 2 else style)
    if shift := _shift(line, room):
        text = Text("…", style).append_text(text[shift + 1 :])
    text.truncate(room, overflow="ellipsis")
    return Text(f"{sign} {number:>4}  ", style).append_text(text)


def _shift(line: Line, room: int) -> int:
    """How many characters to leave out on the left so that the edit can be seen."""
    edit_end = sum(len(piece) for piece in line[: 2 * (len(line) // 2)])
    if len(line) < 2 or edit_end < room:
        return 0
    return max(min(edit_end - room + 8, len(line[0]) - 8), 0)


def _marks(line: Line, shift: int, room: int) -> str:
    """Signs below the changed pieces."""
    signs = "".join(("^" if at % 2 else " ") * len(piece) for at, piece in enumerate(line))
    return signs[shift : shift + room].rstrip()


FILE_WIDTH = 100
STYLES: dict[Finding, str] = {
    "worth-a-test": "bold red",
    "undecided": "yellow",
    "cannot-tell": "magenta",
    "predicted-equivalent": "cyan",
    "unrefuted": "cyan",
    "accepted-equivalent": "green",
    "proved-equivalent": "green",
    "detected": "dim",
}


def write_text(
    result: ScanResult, out: Path | None, limit: int | None, *, mistakes: bool = False
) -> None:
    """Print to the terminal, or write a plain text file."""
    if out is None:
        print_result(result, Console(highlight=False), limit, mistakes=mistakes)
        return
    page = StringIO()
    plain = Console(file=page, width=FILE_WIDTH, color_system=None, highlight=False)
    print_result(result, plain, limit, mistakes=mistakes)
    write_bytes(out, page.getvalue().encode(errors="replace"))


def print_result(
    result: ScanResult, console: Console, limit: int | None = None, *, mistakes: bool = False
) -> None:
    """Summary first, then the survivors that are most probably real gaps, then the rest."""
    digest = Digest(result, limit)
    _summary(result, digest, console)
    _survivors(digest.survivors, console)
    _without_verdict(digest, console)
    _equivalents(digest.settled, console)
    if mistakes:
        _mistakes(result, console)


def _summary(result: ScanResult, digest: Digest, console: Console) -> None:
    report = result.report
    _title(console, f"equimut scan: {wording.report_name(report)}")
    _say(console, f"{wording.tool(report)}, {wording.mutants(report.total)}", indent=2)
    _say(console, wording.statuses(report), indent=2, style="dim")
    _title(console, "Mutation score")
    for name, value, meaning in wording.score_rows(result):
        line = Text(f"  {name:<22}").append(f"{wording.percent(value):>8}", "bold")
        console.print(line.append(f"   {meaning}", "dim"))
    _say(console, wording.counting_rule(result), indent=2, style="dim")
    _title(console, f"Verdicts on {wording.mutants(digest.findings.total())}")
    for finding in FINDINGS:
        if number := digest.findings[finding]:
            line = Text().append(f"  {LABELS[finding]:<22}", STYLES[finding])
            line.append(f"{number:>8,}", "bold")
            if finding in ("predicted-equivalent", "unrefuted"):
                line.append(f"   {digest.counting[finding]:,} of them counted in the scores", "dim")
            console.print(line)
    _title(console, "Check on killed mutants")
    _say(console, wording.killed_check(result.killed), indent=2)
    if result.oracle is not None:
        _title(console, "Oracle")
        for words in wording.oracle_lines(result.oracle):
            _say(console, words, indent=2, hanging=4)


def _survivors(survivors: Ranking, console: Console) -> None:
    _title(console, "Survivors, most probably a real gap first")
    for number, verdict in enumerate(survivors.first, start=1):
        console.print()
        _mutant(verdict, number, console)
    if not survivors.total:
        _say(console, "none of those with a verdict", indent=2)
    _cut(console, survivors)


def _mistakes(result: ScanResult, console: Console) -> None:
    """Killed mutants that the model calls equivalent: what it gets wrong on this code."""
    _title(console, "Killed mutants that the model calls equivalent")
    for number, verdict in enumerate(result.mistakes, start=1):
        console.print()
        _mutant(verdict, number, console)
    if more := result.killed.called_equivalent - len(result.mistakes):
        _say(console, f"{more:,} more", indent=2)
    if not result.mistakes:
        _say(console, "none", indent=2)


def _mutant(verdict: ScanVerdict, number: int, console: Console) -> None:
    mutant, finding = verdict.mutant, finding_of(verdict)
    head = Text().append(f"{number:>3}  ", "dim").append(shown(wording.place(verdict)), "bold")
    if mutant.change is not None and mutant.change.function:
        head.append(f"  {shown(mutant.change.function)}", "cyan")
    console.print(head, overflow="fold")
    line = Text("     ").append(LABELS[finding].lower(), STYLES[finding])
    console.print(line.append(f": {wording.evidence(verdict)}"))
    made_by = mutant.operator.rpartition(".")[2] or mutant.operator
    state = ", ".join(filter(None, (wording.STATUS_WORDS[mutant.status], made_by)))
    _say(console, state, indent=5, style="dim")
    if mutant.change is not None:
        for row in diff_lines(mutant.change, console.width - 5, carets=not console.color_system):
            console.print(Text("     ").append_text(row), no_wrap=True, crop=True)
    if verdict.reason:
        _say(console, f"why: {verdict.reason}", indent=5)
    if verdict.nearest is not None:
        _say(console, f"nearest example: {wording.nearest(verdict.nearest)}", indent=5)
    if command := wording.accept_command(verdict):
        _say(console, f"if equivalent: {command}", indent=5, style="dim")


def _without_verdict(digest: Digest, console: Console) -> None:
    """Mutants without a verdict, by reason; few are named, all are counted."""
    if not digest.unknown:
        return
    _title(console, f"No verdict on {wording.mutants(digest.findings['cannot-tell'])}")
    for kind, group in sorted(digest.unknown.items(), key=lambda item: -item[1].number):
        reason = group.reason if group.reason is not None else kind
        _say(console, f"{group.number:>6,}  {reason or 'no reason was given'}", indent=0, hanging=8)
        more = group.number - len(group.places)
        examples = ", ".join(group.places) + (f" and {more:,} more" if more else "")
        _say(console, examples, indent=8, style="dim")
    if digest.open.total:
        _say(console, "those with a known change, to be decided by you:", indent=2)
    for number, verdict in enumerate(digest.open.first, start=1):
        console.print()
        _mutant(verdict, number, console)
    _cut(console, digest.open)


def _equivalents(settled: Ranking, console: Console) -> None:
    if not settled.total:
        return
    _title(console, f"Taken as equivalent: {wording.mutants(settled.total)}")
    for verdict in settled.first:
        line = Text("  ").append(shown(wording.place(verdict)), "bold")
        if verdict.key is not None:
            line.append(f"  {verdict.key.text}", "dim")
        console.print(line, overflow="fold")
        if verdict.mutant.change is not None:
            _say(console, one_line(verdict.mutant.change), indent=5)
        why = f"{wording.evidence(verdict)}: {verdict.reason}"
        _say(console, why.removesuffix(": "), indent=5, style="dim")
    _say(console, 'if one is not: equimut reject KEY --reason "..."', indent=2, style="dim")
    _cut(console, settled)


def _cut(console: Console, ranked: Ranking) -> None:
    if more := ranked.total - len(ranked.first):
        console.print()
        hint = f"--limit {ranked.total} shows all, --format html a page of them"
        _say(console, f"{more:,} more: {hint}", indent=2, style="bold")


def _title(console: Console, text: str) -> None:
    console.print()
    console.print(Text(shown(text), "bold underline"), overflow="fold")


def _say(
    console: Console, text: str, *, indent: int, hanging: int | None = None, style: str = ""
) -> None:
    """A paragraph; its later lines start where `hanging` says."""
    hanging = indent if hanging is None else hanging
    line = Text(shown(" ".join(text.split(" "))), style)
    wrapped = line.wrap(console, max(console.width - max(indent, hanging), 20))
    for number, part in enumerate(wrapped):
        part.rstrip()
        console.print(Text(" " * (hanging if number else indent)).append_text(part), soft_wrap=True)
