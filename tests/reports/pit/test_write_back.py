"""Marks in a copy of a PIT report: those mutants and no other byte."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from equimut.reports.pit.read import read_pit
from equimut.reports.pit.write_back import write_pit
from equimut.reports.reported import ReportError
from equimut.reports.write_back import write_back
from oracles.reports.pit_project import PROJECT, SOURCES

REPORTS = [PROJECT / "mutations.xml", PROJECT / "mutations_old.xml"]


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.stem)
def test_marked_mutants_change_and_nothing_else(path: Path, tmp_path: Path) -> None:
    report, out = read_pit(path, SOURCES), tmp_path / "out" / "copy.xml"
    before = path.read_bytes()
    reason = "dead code: a < b & c > \"d\" 'e' é\n"
    write_back(report, {3: reason, 0: "first", 40: "later"}, out)
    assert path.read_bytes() == before
    mutants, copied = list(report.mutants()), list(read_pit(out, SOURCES).mutants())
    for mutant, copy in zip(mutants, copied, strict=True):
        if mutant.index in (0, 3, 40):
            assert (copy.status, copy.tool_status) == ("ignored", "EQUIVALENT")
            changed = {"status": mutant.status, "tool_status": mutant.tool_status}
            copy = copy.model_copy(update={**changed, "status_reason": ""})
        assert copy == mutant
    assert copied[3].status_reason == reason.replace("\n", " ")
    old, new = before.split(b"\n"), out.read_bytes().split(b"\n")
    assert sum(one != other for one, other in zip(old, new, strict=True)) == 3
    attributes = [element.attrib for element in ElementTree.parse(out).getroot()]
    assert attributes[0]["detected"] == "false" or mutants[0].status != "survived"


def test_another_status_on_request(tmp_path: Path) -> None:
    out = tmp_path / "copy.xml"
    write_pit(REPORTS[0], {1: "same bytecode"}, out, status="KILLED")
    assert list(read_pit(out, None).mutants())[1].tool_status == "KILLED"
    with pytest.raises(ReportError, match="no status of PIT"):
        write_pit(REPORTS[0], {1: "x"}, tmp_path / "other.xml", status="' evil='")
    assert not (tmp_path / "other.xml").exists()


def test_marking_again_replaces_the_mark(tmp_path: Path) -> None:
    first, second = tmp_path / "1.xml", tmp_path / "2.xml"
    write_pit(REPORTS[0], {1: "one"}, first)
    write_pit(first, {1: "two"}, second)
    assert list(read_pit(second, None).mutants())[1].status_reason == "two"


def test_a_single_mutation_without_a_root_and_odd_tags(tmp_path: Path) -> None:
    path, out = tmp_path / "one.xml", tmp_path / "out.xml"
    path.write_text("<mutation  detected = 'a>b'\n status\n=\n'SURVIVED' />")
    write_pit(path, {0: "r"}, out)
    (mutant,) = read_pit(out, None).mutants()
    assert (mutant.tool_status, mutant.status_reason) == ("EQUIVALENT", "r")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"<mutations><mutation status='KILLED'/>", "broken XML"),
        (b'<!DOCTYPE m [<!ENTITY x "y">]><mutations><mutation/></mutations>', "refused"),
        ("<mutations><mutation status='KILLED'/></mutations>".encode("utf-16"), "UTF-8"),
        (b"<mutations/>", "no mutant at position 0"),
    ],
)
def test_nothing_is_written_if_the_report_is_unfit(
    tmp_path: Path, content: bytes, words: str
) -> None:
    path, out = tmp_path / "in.xml", tmp_path / "out.xml"
    path.write_bytes(content)
    with pytest.raises(ReportError, match=words):
        write_pit(path, {0: "r"}, out)
    assert sorted(tmp_path.iterdir()) == [path]
