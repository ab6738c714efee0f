"""Real processes at once: nothing that somebody decided is lost, nobody is told what is not so."""

import json
import os
from datetime import date
from pathlib import Path

import pytest

from equimut.errors import EquimutError
from equimut.mutation.identity import MutantKey
from equimut.scanning.registry.registry import Registry
from equimut.storage.locks import alone_in
from oracles.at_once import run_at_once
from oracles.command import RULES_ONLY, call_equimut, run_equimut
from oracles.scans.scan_project import elements, entry

NUMBER = 8
JAVA = (
    "class Many {\n"
    + "".join(f"    int f{n}(int a) {{ return a * {n + 2}; }}\n" for n in range(NUMBER))
    + "}\n"
)


@pytest.fixture
def keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The keys of a scan of a report with so many survivors."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EQUIMUT_CACHE", str(tmp_path / "cache"))
    mutants = [entry(n, JAVA, "a *", "a /", nth=n) for n in range(NUMBER)]
    Path("mutation.json").write_text(json.dumps(elements(("Many.java", "java", JAVA, mutants))))
    rows = json.loads(call_equimut("scan", "mutation.json", *RULES_ONLY, "--json").stdout)
    return [row["key"] for row in rows["mutants"]]


def decision(word: str, key: str) -> tuple[str, ...]:
    return word, key, "--reason", f"because of {key}", "--author", "Ada"


def test_many_decisions_at_once_are_all_kept(keys: list[str]) -> None:
    words = ["accept", "reject"] * (NUMBER // 2)
    for done in run_at_once(*map(decision, words, keys)):
        assert done.returncode == 0, done.stderr
    registry = Registry(Path("equivalents.toml"))
    assert {entry.key[:12] for entry in registry.entries} == set(keys[::2])
    assert len(registry.decisions) == NUMBER
    assert not list(Path().glob(".equivalents*"))  # no lock or temporary file is left


def test_one_mutant_is_decided_once(keys: list[str]) -> None:
    found = run_at_once(*[decision("accept", keys[0])] * 4)
    assert sorted(done.returncode for done in found) == [0, 2, 2, 2]
    assert sum("accepted already" in done.stderr for done in found) == 3
    assert len(Registry(Path("equivalents.toml")).entries) == 1


def test_scans_and_decisions_at_once(keys: list[str]) -> None:
    scan = ("scan", "mutation.json", *RULES_ONLY, "--json")
    found = run_at_once(*(decision("accept", key) for key in keys[:3]), *[scan] * 3)
    assert [done.returncode for done in found] == [0] * 6, [done.stderr for done in found]
    for done in found[3:]:
        assert [row["key"] for row in json.loads(done.stdout)["mutants"]] == keys
        assert "not kept" not in done.stderr  # three of them share one cache
    assert len(Registry(Path("equivalents.toml")).entries) == 3
    last = run_equimut(*decision("accept", keys[5]))
    assert last.returncode == 0, last.stderr  # the keys of the scan are whole


def test_a_review_that_is_open_loses_nothing_that_others_decide(keys: list[str]) -> None:
    found = json.loads(call_equimut("scan", "mutation.json", *RULES_ONLY, "--json").stdout)
    open_registry = Registry(Path("equivalents.toml"))  # read before the other process writes
    assert run_equimut(*decision("accept", keys[0])).returncode == 0
    key = MutantKey(**found["mutants"][1]["identity"])
    open_registry.accept(key, reason="mine", author="", tier="unknown", day=date(2026, 3, 1))
    assert len(Registry(Path("equivalents.toml")).entries) == 2
    assert len(open_registry.entries) == 2


def test_somebody_who_holds_the_place_for_long_is_named(tmp_path: Path) -> None:
    with alone_in(tmp_path / "new", "busy"):
        child = os.fork()
        if child == 0:
            try:
                with alone_in(tmp_path / "new", "busy", seconds=0.1):
                    os._exit(1)
            except EquimutError as error:
                os._exit(0 if str(error) == "busy" else 2)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    with alone_in(tmp_path / "new", "busy"):
        pass
