"""The terminal: summary first, real gaps first, readable at 80 columns and without colour."""

from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from equimut.reports.reported import read_report
from equimut.scanning.outputs import write_output
from equimut.scanning.outputs.text_format import print_result
from equimut.scanning.outputs.wording import report_name
from equimut.scanning.records import ScanResult, ScanVerdict
from oracles.scans.scan_results import (
    CART,
    RANGES,
    example_result,
    example_verdicts,
    reported,
    scan_result,
    verdict,
)


def printed(result: ScanResult, limit: int | None = None, width: int = 80) -> str:
    page = StringIO()
    print_result(result, Console(file=page, width=width, highlight=False), limit)
    return page.getvalue()


def test_the_summary_comes_first_with_three_scores_side_by_side() -> None:
    text = printed(example_result())
    for line in (
        "as reported             68.2 %   30 of 44 detected",
        "without equivalents     73.2 %   30 of 41",
        "equivalents as killed   75.0 %   33 of 44",
        "of 30 killed mutants the model calls 1 equivalent (3.3 %)",
        "PIT 1.17.0, 44 mutants",
        "30 killed, 13 survived, 1 not covered",
    ):
        assert text.index(line) < text.index("Survivors, most probably a real gap first")


def test_the_counts_are_those_of_the_verdicts() -> None:
    text = printed(example_result())
    for label, number in (
        ("Worth a test", 7),
        ("Undecided", 1),
        ("Cannot tell", 2),
        ("Predicted equivalent", 1),
        ("Not refuted", 1),
        ("Accepted", 1),
        ("Proved equivalent", 1),
    ):
        assert f"  {label:<22}{number:>8}" in text
    assert "1 of them counted in the scores" in text


def survivors(text: str) -> list[str]:
    """Places of the numbered mutants with a verdict, in the order of the page."""
    rows = (line.split() for line in text.partition("No verdict on")[0].splitlines())
    return [row[1] for row in rows if len(row) > 1 and row[0].isdigit() and ".java:" in row[1]]


def test_what_is_most_probably_a_gap_comes_first() -> None:
    """A witness, then rising probability of being equivalent; what counts is not among them."""
    assert survivors(printed(example_result())) == [
        f"{RANGES}:10",  # an input tells the two apart
        f"{RANGES}:34",  # 0.004
        f"{CART}:23",  # 0.01
        f"{CART}:16",  # 0.02
        f"{RANGES}:9",  # 0.04
        f"{RANGES}:11",  # 0.09
        f"{CART}:23",  # 0.13
        f"{RANGES}:33",  # 0.71: predicted, but not surely enough to count
        f"{CART}:15",  # not refuted
    ]


def test_the_order_does_not_depend_on_the_order_of_the_report() -> None:
    backwards = [
        each.model_copy(update={"mutant": each.mutant.model_copy(update={"index": 13 - n})})
        for n, each in enumerate(example_verdicts())
    ]
    assert survivors(printed(scan_result(backwards))) == survivors(printed(example_result()))


def test_a_mutant_shows_its_edit_its_evidence_and_its_key() -> None:
    text = printed(example_result())
    start = text.index(f"{RANGES}:9")
    block = text[start : text.index("\n\n", start)]
    key = next(v.key for v in example_verdicts() if v.mutant.index == 0)
    assert key is not None
    lines = block.splitlines()
    assert "4 % chance of being equivalent" in block
    assert "survived, ConditionalsBoundaryMutator" in block
    assert "nearest example: i < n -> i <= n (not equivalent" in block
    assert f'equimut accept {key.text} --reason "..."' in block
    old = next(n for n, line in enumerate(lines) if line.lstrip().startswith("-    9"))
    assert lines[old].endswith("while (low <= high) {")
    assert lines[old + 1].index("^^") == lines[old].index("<=")
    assert lines[old + 2].endswith("while (low < high) {")
    assert lines[old + 3].strip() == "^"


def test_equivalents_are_listed_with_what_they_rest_on() -> None:
    text = printed(example_result(), width=140)
    listed = text[text.index("Taken as equivalent: 3 mutants") :].splitlines()[1:]
    keys = {f"{each.mutant.file}:{each.mutant.line}": each.key for each in example_verdicts()}
    shown = [line.strip().rpartition("  ") for line in listed]
    for place, _, key in shown:
        if place:  # a list that a person may have to decide on names its mutants
            known = keys[place]
            assert known is not None
            assert key == known.text
    assert [place or key for place, _, key in shown] == [
        f"{RANGES}:31",
        "`int left = from > start ? from : start;` -> `int left = from >= start ? from : start;`",
        "97 % chance of being equivalent",
        f"{CART}:11",
        "`for (int i = 0; i < items.size(); i++) {` -> `for (int i = 0; i != items.size(); i++) {`",
        "accepted by a person: i only ever grows by one (Ada, 2026-03-01)",
        f"{RANGES}:24",
        "`if (first > second) {` -> `if (first >= second) {`",
        "proved: the whole input domain was tried: 65,536 inputs",
        'if one is not: equimut reject KEY --reason "..."',
    ]


def test_nobody_is_told_to_accept_what_an_input_refutes() -> None:
    text = printed(example_result(), limit=1)
    told, _, undecided = text.partition("No verdict on")
    assert "does not end in the mutant" in told
    assert "equimut accept" not in told
    assert undecided.count("equimut accept") == 1  # its change is known: somebody can decide
    assert "audit(sum);" in undecided


def test_mutants_without_a_verdict_are_grouped_by_kind_of_reason() -> None:
    mutants = [reported(n, RANGES, "low <= high", "low < high") for n in range(8)]
    reasons = ["too long: cut"] * 5 + ["not locatable: line 3", "not locatable: line 5", "odd"]
    found = zip(mutants, reasons, strict=True)
    text = printed(scan_result([verdict(m, "unknown", "unknown", reason=r) for m, r in found]))
    assert "No verdict on 8 mutants" in text
    lines = [line for line in text.splitlines() if line[:6].strip().isdigit()]
    assert lines == ["     5  too long: cut", "     2  not locatable", "     1  odd"]
    assert "and 2 more" in text


@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    long_file = f"src/{'deep/' * 30}Long.java"
    code = "class A { int f(int a) { return " + "a + " * 60 + "a < 3 ? 1 : 0; } }\n"
    long = reported(90, long_file, "a < 3", "a <= 3", text=code, operator="x" * 100)
    reason = "because " * 40
    verdicts = [*example_verdicts(), verdict(long, "not-equivalent", "killed", reason=reason)]
    text = printed(scan_result(verdicts), width=width)
    assert max(map(cell_len, text.splitlines())) <= width
    assert "a <= 3" in text  # the edit is shown, though it stands far to the right


def test_a_long_report_is_cut_and_says_how_to_see_all() -> None:
    text = printed(example_result(), limit=4)
    assert len(survivors(text)) == 4
    assert survivors(text) == survivors(printed(example_result()))[:4]
    assert "5 more: --limit 9 shows all" in text
    assert "more: --limit" not in printed(example_result(), limit=9)


def test_a_limit_keeps_the_same_first_ones_of_very_many() -> None:
    """Those that are let go on the way are never among the first."""
    mutant = reported(0, RANGES, "low <= high", "low < high")
    many = [
        verdict(mutant.model_copy(update={"index": n, "line": n}), "not-equivalent",
                probability=((n * 7919) % 1000) / 2500)
        for n in range(1000)
    ]  # fmt: skip
    result = scan_result(many)
    expected = [str(v.mutant.line) for v in sorted(many, key=lambda v: v.probability or 0)[:5]]
    assert [place.rpartition(":")[2] for place in survivors(printed(result, 5))] == expected
    assert "995 more: --limit 1000 shows all" in printed(result, 5)


def test_the_verdicts_are_read_once() -> None:
    """Reading them may mean reading a large file."""
    result, times = example_result(), []

    def read() -> Iterator[ScanVerdict]:
        times.append(1)
        return result.verdicts()

    printed(example_result(read=read))
    assert len(times) == 1


def test_code_cannot_steer_the_terminal() -> None:
    code = 'class A { int f(int a) { String s = "\x1b[2J\u202e"; return a < 3 ? 1 : 0; } }\n'
    mutant = reported(0, "A.java", "a < 3", "a <= 3", text=code, operator="\x1b]0;x\x07")
    text = printed(scan_result([verdict(mutant, "not-equivalent", "killed", reason="\x1b[31m")]))
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "\\x1b[2J\\u202e" in text


def test_markup_in_code_is_text() -> None:
    mutant = reported(0, RANGES, "low <= high", "low < high", operator="[bold]x[/bold]")
    text = printed(scan_result([verdict(mutant, "unknown", "unknown", reason="[red]no[/red]")]))
    assert "[red]no[/red]" in text


def test_a_terminal_with_colour_needs_no_signs_below_the_edit() -> None:
    page = StringIO()
    console = Console(file=page, width=80, force_terminal=True, color_system="standard")
    print_result(example_result(), console)
    assert "^^" not in page.getvalue()
    assert "\x1b[1;7;31m<=\x1b[0m" in page.getvalue()


def test_a_file_gets_plain_text(tmp_path: Path) -> None:
    write_output(example_result(), "text", tmp_path / "scan.txt")
    text = (tmp_path / "scan.txt").read_text()
    assert "\x1b" not in text
    assert survivors(text) == survivors(printed(example_result()))


def test_a_report_called_dot_has_the_name_of_its_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "till"
    project.mkdir()
    (project / "a.py").write_text("def f(a):\n    return a + 1\n")
    (project / "a.diff").write_text(
        "--- a.py\n+++ a.py\n@@ -2 +2 @@\n-    return a + 1\n+    return a - 1\n"
    )
    monkeypatch.chdir(project)
    assert report_name(read_report(Path())) == "till"
    assert report_name(read_report(Path("a.diff"))) == "a.diff"
    (project / "inside").mkdir()
    monkeypatch.chdir(project / "inside")
    assert report_name(read_report(Path(".."))) == "till"
