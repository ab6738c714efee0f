"""Keys name mutants by content; the registry keeps what people accepted, and notices change."""

from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from equimut.errors import DataError
from equimut.mutation.identity import MutantKey
from equimut.reports.reported import Change, ReportedMutant, Status
from equimut.scanning.records import ScanVerdict
from equimut.scanning.registry.check import check_entries
from equimut.scanning.registry.registry import Registry, key_of
from oracles.scans.scan_results import mutation_scores

ORIGIN = "int f(int a, int b) {\n  // larger\n  if (a < b) { a = b; }\n  return a;\n}"
DAY = date(2026, 3, 1)


def reported(
    origin: str = ORIGIN,
    mutant: str | None = None,
    *,
    file: str = "A.java",
    line: int = 3,
    status: Status = "survived",
) -> ReportedMutant:
    changed = origin.replace("a < b", "a <= b") if mutant is None else mutant
    return ReportedMutant(
        index=0, id="1", tool="own", file=file, language="java", status=status, tool_status="x",
        operator="ROR", line=line,
        change=Change(
            scope="function", function="f", start_line=1, start_byte=0, end_byte=1, original="",
            replacement="", origin_function=origin, mutant_function=changed,
        ),
    )  # fmt: skip


def key(**options: object) -> MutantKey:
    found = key_of(reported(**options))  # type: ignore[arg-type]
    assert found is not None
    return found


def test_layout_comments_and_line_numbers_leave_the_key_alone() -> None:
    moved = ORIGIN.replace("\n  // larger\n", "\n\n\n /* the larger */ ")
    assert key(origin=moved, line=77) == key()
    assert key().change == "< -> <="


@pytest.mark.parametrize(
    "other",
    [
        {"file": "B.java"},
        {"origin": ORIGIN.replace("return a", "return b")},
        {"mutant": ORIGIN.replace("a < b", "a > b")},
    ],
)
def test_another_file_code_or_change_has_another_key(other: dict[str, str]) -> None:
    assert key(**other).text != key().text


def test_the_same_change_at_two_places_has_two_keys() -> None:
    twice = "void f() { x(); x(); }"
    first, second = (
        key(origin=twice, mutant=mutant)
        for mutant in ("void f() { y(); x(); }", "void f() { x(); y(); }")
    )
    assert first.change == second.change == "x -> y"
    assert first.text != second.text


def accept(path: Path, chosen: MutantKey, reason: str = "a tie takes either") -> Registry:
    registry = Registry(path)
    registry.accept(chosen, reason=reason, author="Ada", tier="predicted", day=DAY)
    return registry


def test_an_accepted_mutant_is_found_again_and_comments_survive(tmp_path: Path) -> None:
    path = tmp_path / "equivalents.toml"
    accept(path, key())
    path.write_text("# ours\n" + path.read_text() + "\n# seen in the review of May\n")
    accept(path, key(file="B.java"), "the same there")
    text = path.read_text()
    assert "# ours" in text
    assert "# seen in the review of May" in text
    back = Registry(path)
    assert [entry.file for entry in back.entries] == ["A.java", "B.java"]
    found = back.find(key())
    assert found is not None
    assert (found.reason, found.author, found.tier, found.date) == (
        "a tie takes either", "Ada", "predicted", DAY,
    )  # fmt: skip
    assert back.find(key(origin=ORIGIN.replace("return a", "return b"))) is None


def test_what_may_not_be_accepted(tmp_path: Path) -> None:
    registry = accept(tmp_path / "r.toml", key())
    before = (tmp_path / "r.toml").read_bytes()
    with pytest.raises(DataError, match="accepted already"):
        registry.accept(key(), reason="again", author="", tier="unknown", day=DAY)
    with pytest.raises(DataError, match="with a reason"):
        registry.accept(key(file="B.java"), reason=" ", author="", tier="unknown", day=DAY)
    assert (tmp_path / "r.toml").read_bytes() == before


def test_an_entry_whose_code_changed_is_stale_with_the_new_key(tmp_path: Path) -> None:
    registry = accept(tmp_path / "r.toml", key())
    changed = ORIGIN.replace("return a", "return a + 0")
    now = key(origin=changed, mutant=changed.replace("a < b", "a <= b"))
    (valid,) = check_entries(registry.entries, [key()])
    (stale,) = check_entries(registry.entries, [now])
    (gone,) = check_entries(registry.entries, [])
    assert (valid.state, stale.state, gone.state) == ("valid", "stale", "gone")
    assert stale.new_key == now.text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[equivalent]\n", "not TOML"),
        ("equivalent = 3", "list of tables"),
        ('[[equivalent]]\nkey = "x"', "entry 1: `file`"),
        ("{entry}{entry}", "twice"),
        ("{edited}", "does not fit its content"),
    ],
)
def test_a_damaged_registry_is_an_error_not_an_empty_one(
    tmp_path: Path, text: str, words: str
) -> None:
    accept(tmp_path / "good.toml", key())
    entry = "[[equivalent]]" + (tmp_path / "good.toml").read_text().split("[[equivalent]]")[1]
    edited = entry.replace('function = "f"', 'function = "g"')
    (tmp_path / "r.toml").write_text(text.replace("{entry}", entry).replace("{edited}", edited))
    with pytest.raises(DataError, match=words):
        Registry(tmp_path / "r.toml")


def test_three_scores_side_by_side() -> None:
    counts: Counter[Status] = Counter(
        {"killed": 5, "timeout": 1, "survived": 3, "no_coverage": 1, "ignored": 4}
    )
    verdicts = [
        ScanVerdict(
            mutant=reported(status=status), key=None, word="equivalent", tier="proved", counts=taken
        )
        for status, taken in (("survived", True), ("survived", False), ("killed", True))
    ]
    scores = mutation_scores(verdicts, counts)
    assert scores.as_reported == pytest.approx(6 / 10)
    assert scores.without_equivalents == pytest.approx(6 / 9)
    assert scores.equivalents_as_killed == pytest.approx(7 / 10)
    assert mutation_scores([], Counter()).as_reported is None
