"""JUnit XML: the outcome of each survivor, well-formed whatever the code holds."""

from defusedxml import ElementTree
from hypothesis import given
from hypothesis import strategies as st

from equimut.scanning.outputs.junit_format import pieces
from equimut.scanning.records import ScanResult
from oracles.scans.scan_results import RANGES, example_result, reported, scan_result, verdict


def cases(result: ScanResult) -> dict[int, str]:
    """Position in the report to outcome, as a reader of JUnit files sees it."""
    root = ElementTree.fromstring("".join(pieces(result)).encode())
    suite = root.find("testsuite")
    found = {}
    for case in suite.iter("testcase"):
        number = int(case.get("name").rpartition("(mutant ")[2].rstrip(")"))
        found[number] = next((child.tag for child in case), "passed")
    for node in (root, suite):
        assert int(node.get("tests")) == len(found)
        assert int(node.get("failures")) == list(found.values()).count("failure")
        assert int(node.get("skipped")) == list(found.values()).count("skipped")
    return found


def test_survivors_fail_equivalents_pass_unknown_ones_are_skipped() -> None:
    found = cases(example_result())
    failed = {number for number, outcome in found.items() if outcome == "failure"}
    passed = {number for number, outcome in found.items() if outcome == "passed"}
    assert failed == {0, 1, 2, 5, 6, 8, 9, 11, 12}  # 5: predicted, but not surely enough
    assert passed == {3, 4, 7}
    assert found[10] == found[13] == "skipped"


def test_a_mutant_without_a_line_has_none_in_its_name() -> None:
    bare = reported(0, RANGES, "low <= high", "low < high", line=None, change=None)
    text = "".join(pieces(scan_result([verdict(bare, "unknown", "unknown", reason="x")])))
    assert "None" not in text
    assert 'name="ConditionalsBoundaryMutator (mutant 0)"' in text


def test_detected_mutants_pass() -> None:
    killed = reported(0, RANGES, "low <= high", "low < high", status="killed")
    result = scan_result([verdict(killed, "not-equivalent", probability=0.1)])
    assert cases(result) == {0: "passed"}


def test_a_failure_says_what_to_do() -> None:
    root = ElementTree.fromstring("".join(pieces(example_result())).encode())
    first = next(root.iter("testcase"))
    assert (first.get("file"), first.get("line")) == (RANGES, "9")
    failure = first.find("failure")
    assert failure.get("message") == "Worth a test: 4 % chance of being equivalent"
    assert "-     while (low <= high) {\n+     while (low < high) {" in failure.text
    assert "if equivalent: equimut accept " in failure.text


@given(st.text(max_size=40))
def test_any_text_gives_well_formed_xml(text: str) -> None:
    mutant = reported(0, RANGES, "low <= high", "low < high", operator=text, description=text)
    mutant = mutant.model_copy(update={"file": text, "change": None})
    bare = verdict(mutant, "not-equivalent", "killed", reason=text)
    skipped = verdict(mutant.model_copy(update={"index": 1}), "unknown", "unknown", reason=text)
    document = "".join(pieces(scan_result([bare, skipped])))
    root = ElementTree.fromstring(document.encode())
    assert len(list(root.iter("testcase"))) == 2
