"""Real processes at once: nothing that somebody decided is lost, nobody is told what is not so."""

import json
import os
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from equimut.errors import EquimutError
from equimut.mutation.identity import MutantKey
from equimut.scanning.registry.registry import Registry
from equimut.storage.locks import alone_in
from oracles.command import RULES_ONLY, call_equimut
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


def start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "equimut", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def decide(word: str, key: str) -> subprocess.Popen[str]:
    return start(word, key, "--reason", f"because of {key}", "--author", "Ada")


def test_many_decisions_at_once_are_all_kept(keys: list[str]) -> None:
    words = ["accept", "reject"] * (NUMBER // 2)
    running = [decide(word, key) for word, key in zip(words, keys, strict=True)]
    for process in running:
        _, errors = process.communicate(timeout=400)
        assert process.returncode == 0, errors
    registry = Registry(Path("equivalents.toml"))
    assert {entry.key[:12] for entry in registry.entries} == set(keys[::2])
    assert len(registry.decisions) == NUMBER
    assert not list(Path().glob(".equivalents*"))  # no lock or temporary file is left


def test_one_mutant_is_decided_once(keys: list[str]) -> None:
    running = [decide("accept", keys[0]) for _ in range(4)]
    errors = [process.communicate(timeout=400)[1] for process in running]
    assert sorted(process.returncode for process in running) == [0, 2, 2, 2]
    assert sum("accepted already" in text for text in errors) == 3
    assert len(Registry(Path("equivalents.toml")).entries) == 1


def test_scans_and_decisions_at_once(keys: list[str]) -> None:
    scan = ("scan", "mutation.json", *RULES_ONLY, "--json")
    decisions = [decide("accept", key) for key in keys[:3]]
    scans = [start(*scan) for _ in range(3)]
    for process in (*decisions, *scans):
        out, errors = process.communicate(timeout=400)
        assert process.returncode == 0, errors
        if process in scans:
            assert [row["key"] for row in json.loads(out)["mutants"]] == keys
            assert "not kept" not in errors  # three of them share one cache
    assert len(Registry(Path("equivalents.toml")).entries) == 3
    assert decide("accept", keys[5]).wait(timeout=400) == 0  # the keys of the scan are whole


def test_a_review_that_is_open_loses_nothing_that_others_decide(keys: list[str]) -> None:
    found = json.loads(call_equimut("scan", "mutation.json", *RULES_ONLY, "--json").stdout)
    open_registry = Registry(Path("equivalents.toml"))  # read before the other process writes
    assert decide("accept", keys[0]).wait(timeout=400) == 0
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
