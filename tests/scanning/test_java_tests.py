"""`scan --oracle --tests` for Java: from a report to JUnit files, and where else the tests show."""

import json
import shlex
import shutil
from pathlib import Path

import pytest

from conftest import ROOT
from equimut.reports.reported import read_report
from oracles.command import OWN_CACHE, RULES_ONLY, call_equimut
from oracles.junit import has_junit, junit_outcome
from oracles.reports.pit_bytecode import mutations, report_xml
from oracles.reports.pit_project import compiled
from oracles.survivors import report_of_survivors

pytestmark = pytest.mark.skipif(shutil.which("javac") is None, reason="needs a JDK")
TILL = """package shop;

public class Till {
    private int total;

    public void add(int price, int count) {
        if (count < 1) {
            throw new IllegalArgumentException("nothing to add");
        }
        total += price * count;
    }

    public int getTotal() {
        return total;
    }

    public static int locked(Key key) {
        return key.teeth + 1;
    }

    public static final class Key {
        int teeth;

        private Key() {}
    }
}
"""
CHANGES = (("count < 1", "count <= 1"), ("price * count", "price + count"), ("teeth + 1", "teeth"))


def report_of(source: str) -> dict[str, object]:
    return report_of_survivors("shop/Till.java", "java", source, CHANGES)


def test_a_scan_writes_junit_files_and_shows_the_tests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "src/shop").mkdir(parents=True)
    (tmp_path / "src/shop/Till.java").write_text(TILL)
    (tmp_path / "report.json").write_text(json.dumps(report_of(TILL)))
    scan = ("scan", "report.json", "--source", "src", "--oracle", *RULES_ONLY)
    scan = (*scan, "--oracle-inputs", "60", *OWN_CACHE)
    done = call_equimut(*scan, "--tests", "test", "--json", "--out", "scan.json")
    assert done.returncode == 0, done.stderr
    written = (tmp_path / "test/shop/TillSurvivorsTest.java").read_text()
    assert written.startswith("/*\n * Tests that kill mutants of shop/Till.java which survived,")
    assert "class TillSurvivorsTest {" in written

    found = json.loads((tmp_path / "scan.json").read_text())
    assert {key: found["oracle"][key] for key in ("functions", "functions_run", "tested")} == {
        "functions": 2, "functions_run": 1, "tested": 2,
    }  # fmt: skip
    assert found["oracle"]["reasons"] == {"cannot be called": 1}
    killed = [row for row in found["mutants"] if row["tier"] == "killed"]
    assert [row["id"] for row in killed] == ["0", "1"]
    for row in killed:
        assert ".add(" in row["reason"]
        assert row["test"].startswith("package shop;")
        assert "class TillSurvivorsTest {" in row["test"]

    for name in ("sarif", "html"):  # answered from the cache
        done = call_equimut(*scan, "--format", name, "--out", f"scan.{name}")
        assert done.returncode == 0, done.stderr
        assert "TillSurvivorsTest" in (tmp_path / f"scan.{name}").read_text()


def walk() -> list[str]:
    """The commands of the page."""
    page = (ROOT / "docs/tests.md").read_text()
    part = page.split("\n### Java\n")[1].split("\n### ")[0].split("```")[0]
    return [line.strip() for line in part.splitlines() if line.startswith("    ")]


@pytest.mark.skipif(not has_junit(5), reason="needs Debian's junit5")
def test_the_walk_of_the_page_raises_the_score(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PIT's part is played by its bytecode mutations, found with javac, and by JUnit itself."""
    monkeypatch.chdir(tmp_path)
    source = tmp_path / "src/main/java/shop/Till.java"
    source.parent.mkdir(parents=True)
    source.write_text(TILL)
    tool, scan, again = walk()
    assert tool == again
    assert "pitest" in tool
    methods = compiled(tmp_path / "src/main/java", tmp_path / "target/classes")
    made = [found for method in methods.values() for found in mutations(method)]
    (tmp_path / "target/pit-reports").mkdir()
    report = report_xml([(found, "SURVIVED") for found in made], new_dialect=True)
    (tmp_path / "target/pit-reports/mutations.xml").write_text(report)

    few = (*RULES_ONLY, *OWN_CACHE, "--oracle-inputs", "60", "--json", "--out", "scan.json")
    done = call_equimut(*shlex.split(scan)[1:], *few)
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "scan.json").read_text())
    tested = [row["index"] for row in found["mutants"] if row["test"]]
    assert len(tested) == found["oracle"]["tested"] >= 3
    written = tmp_path / "src/test/java/shop/TillSurvivorsTest.java"
    assert written.is_file()

    def passes() -> bool:
        roots = [tmp_path / "src/main/java", tmp_path / "src/test/java"]
        shutil.rmtree(tmp_path / "made", ignore_errors=True)
        return junit_outcome(roots, tmp_path / "made", "shop.TillSurvivorsTest")[0] == 0

    assert passes()
    report_read = read_report(Path("target/pit-reports/mutations.xml"), Path("src/main/java"))
    mutants = [mutant for mutant in report_read.mutants() if mutant.index in tested]
    for mutant in (mutants[0], mutants[-1]):
        assert mutant.change is not None
        data = TILL.encode()
        start, end = mutant.change.start_byte, mutant.change.end_byte
        source.write_bytes(data[:start] + mutant.change.replacement.encode() + data[end:])
        assert not passes(), mutant.id


def test_the_oracle_prints_a_junit_test(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    origin, mutant = tmp_path / "shop/Till.java", tmp_path / "changed.java"
    origin.write_text(TILL)
    mutant.write_text(TILL.replace("price * count", "price + count"))
    words = ("oracle", str(origin), str(mutant), "--test", "--junit", "4", "--inputs", "60")
    done = call_equimut(*words)
    assert done.returncode == 0, done.stderr
    assert "import org.junit.Test;" in done.stdout
    assert "// It asserts what the code does now" in done.stdout
    assert "public class TillSurvivorsTest {" in done.stdout


def test_a_class_path_is_for_the_oracle(tmp_path: Path) -> None:
    (tmp_path / "report.json").write_text(json.dumps(report_of(TILL)))
    done = call_equimut("scan", str(tmp_path / "report.json"), "--classpath", str(tmp_path))
    assert (done.returncode, "are for --oracle" in done.stderr) == (2, True)
