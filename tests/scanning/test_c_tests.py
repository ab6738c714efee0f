"""`scan --oracle --tests` for C: from a report to a file of tests, and where else they show."""

import json
import shutil
from pathlib import Path

import pytest

from oracles.command import OWN_CACHE, RULES_ONLY, call_equimut
from oracles.survivors import report_of_survivors

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
TILL = """#include "till.h"

void till_init(struct till *t) {
    t->total = 0;
}

int till_add(struct till *t, int price, int count) {
    if (count < 1 || count > 1000 || price > 1000 || price < 0)
        return -1;
    t->total = price * count;
    return 0;
}

int till_log(const char *format, ...) {
    return format[0] == '%';
}
"""
CHANGES = (("count < 1", "count <= 1"), ("price * count", "price + count"), ("== '%'", "!= '%'"))


def test_a_scan_writes_a_c_file_and_shows_the_tests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "include").mkdir()
    (tmp_path / "include/till.h").write_text("struct till { int total; };\n")
    (tmp_path / "till.c").write_text(TILL)
    report = report_of_survivors("till.c", "c", TILL, CHANGES)
    (tmp_path / "report.json").write_text(json.dumps(report))
    scan = ("scan", "report.json", "--source", ".", "--oracle", "-I", "include", *RULES_ONLY)
    scan = (*scan, "--oracle-inputs", "200", *OWN_CACHE)
    done = call_equimut(*scan, "--tests", "tests", "--json", "--out", "scan.json")
    assert done.returncode == 0, done.stderr
    written = (tmp_path / "tests/test_till_survivors.c").read_text()
    assert written.startswith("/*\n * Tests that kill mutants of till.c which survived,")
    assert '#include "till.c"' in written

    found = json.loads((tmp_path / "scan.json").read_text())
    assert {key: found["oracle"][key] for key in ("functions", "functions_run", "tested")} == {
        "functions": 2, "functions_run": 1, "tested": 2,
    }  # fmt: skip
    assert found["oracle"]["reasons"] == {"cannot be called": 1}
    killed = [row for row in found["mutants"] if row["tier"] == "killed"]
    assert [row["id"] for row in killed] == ["0", "1"]
    for row in killed:
        assert "till_add(" in row["reason"]
        assert row["test"].startswith("#undef NDEBUG")

    for name in ("sarif", "html"):  # answered from the cache
        done = call_equimut(*scan, "--format", name, "--out", f"scan.{name}")
        assert done.returncode == 0, done.stderr
        assert "test_till_add_" in (tmp_path / f"scan.{name}").read_text()


def test_directories_of_headers_are_for_the_oracle(tmp_path: Path) -> None:
    report = report_of_survivors("till.c", "c", TILL, CHANGES)
    (tmp_path / "report.json").write_text(json.dumps(report))
    done = call_equimut("scan", str(tmp_path / "report.json"), "-I", str(tmp_path))
    assert (done.returncode, "are for --oracle" in done.stderr) == (2, True)
