"""The cache of verdicts under damage, without room, without permission: no verdict changes."""

import json
import random
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import FULL, ROOT, count
from equimut.mutation.identity import describe
from equimut.oracle.sandbox.tools import compiled_once
from equimut.scanning.evidence.texts import Reading
from equimut.scanning.records import Prediction
from equimut.scanning.verdict_cache import NAME, VerdictCache, answer_key
from oracles.scans.scan_project import java_report

ORIGIN = "int f(int a, int b) { if (a < b) { a = b; } return a; }"


def filled(folder: Path, number: int = 20) -> dict[bytes, Reading]:
    """A cache with so many readings, closed."""
    known = {}
    for each in range(number):
        description = describe(ORIGIN, ORIGIN.replace("a < b", f"a <= b + {each}"), "java")
        key = answer_key("reading", "1", (str(each),))
        known[key] = Reading(description=description, proof=f"rule {each}: because it is so")
    with VerdictCache(folder) as cache:
        for key, reading in known.items():
            cache.put(key, reading)
    with sqlite3.connect(folder / NAME) as connection:  # all in one file
        connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()
    return known


def test_a_flipped_bit_changes_no_answer(tmp_path: Path) -> None:
    known = filled(tmp_path / "whole")
    content = (tmp_path / "whole" / NAME).read_bytes()
    chance = random.Random(7)
    spot = content.index(b"because")  # where the answers are
    met = 0
    for number in range(count(300, 3000)):
        damaged = bytearray(content)
        at = chance.randrange(len(content)) if number % 2 else spot + chance.randrange(-400, 400)
        damaged[at] ^= 1 << chance.randrange(8)
        folder = tmp_path / "damaged"
        folder.mkdir()
        (folder / NAME).write_bytes(damaged)
        with VerdictCache(folder) as cache:
            for key, reading in known.items():
                answer = cache.get(key, Reading)
                assert answer in (None, reading)
                met += answer is None
        shutil.rmtree(folder)
    assert met > 100  # damage did hit answers


def test_an_answer_under_another_key_is_no_answer(tmp_path: Path) -> None:
    first, second = (answer_key("k", "v", (name,)) for name in "ab")
    with VerdictCache(tmp_path) as cache:
        cache.put(first, Prediction(probability=0.9))
    with sqlite3.connect(tmp_path / NAME) as connection:
        connection.execute("UPDATE answers SET key = ?", (second,))
    connection.close()
    with VerdictCache(tmp_path) as cache:
        assert cache.get(second, Prediction) is None


def test_answers_that_an_earlier_version_kept_are_made_again(tmp_path: Path) -> None:
    key = answer_key("k", "v", ("a",))
    with sqlite3.connect(tmp_path / NAME) as connection:
        connection.execute("CREATE TABLE answers (key BLOB PRIMARY KEY, answer TEXT NOT NULL)")
        connection.execute("INSERT INTO answers VALUES (?, ?)", (key, '{"probability": 0.9}'))
    connection.close()
    with VerdictCache(tmp_path) as cache:
        assert cache.get(key, Prediction) is None
        cache.put(key, Prediction(probability=0.8))
    with VerdictCache(tmp_path) as cache:
        assert cache.get(key, Prediction) == Prediction(probability=0.8)


def in_namespace(script: str) -> subprocess.CompletedProcess[str]:
    """Run a script where mounting is allowed, or skip."""
    command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-ec"]
    able = shutil.which("unshare") and not subprocess.call([*command, "true"])
    if not able:
        pytest.skip("no mount namespace for this user")
    return subprocess.run([*command, script], capture_output=True, text=True, check=False)


SCAN = f"{sys.executable} -m equimut scan {{report}} --no-model --json --cache {{cache}}/scan"


@pytest.mark.parametrize("trouble", ["full", "read-only"])
@pytest.mark.parametrize("oracle", [False, True] if FULL else [False])
def test_a_cache_that_cannot_be_written_is_named_and_done_without(
    tmp_path: Path, trouble: str, oracle: bool
) -> None:
    if oracle and shutil.which("javac") is None:
        pytest.skip("no javac")
    java_report(tmp_path)
    cache = tmp_path / "cache"
    cache.mkdir()
    mount = f"mount -t tmpfs -o size=8k none {cache}"
    if trouble == "read-only":
        mount = f"mount -t tmpfs -o ro none {cache}"
    scan = SCAN.format(report=tmp_path / "mutation.json", cache=cache)
    scan += " --oracle --oracle-inputs 20" * oracle
    result = in_namespace(f"cd {tmp_path}; {mount}; export EQUIMUT_CACHE={cache}; {scan}")
    assert result.returncode == 0, result.stderr
    rows = json.loads(result.stdout)["mutants"]
    assert len(rows) == 5
    tiers = {row["tier"] for row in rows}
    assert tiers & {"killed", "unrefuted"} if oracle else tiers == {"proved", "unknown"}
    assert f"answers are not kept: {cache}/scan/{NAME}" in result.stderr
    assert "TMPDIR" not in result.stderr


def test_a_harness_is_compiled_without_a_place_to_keep_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no directory")
    monkeypatch.setenv("EQUIMUT_CACHE", str(tmp_path / "file"))
    source = tmp_path / "source.txt"
    source.write_text("made")
    copy = shutil.which("cp")
    assert copy is not None
    for _ in range(2):
        made = compiled_once("Text", copy, [source], lambda place: [source, place])
        assert (made / "source.txt").read_text() == "made"


def test_a_full_disk_is_named_where_it_cannot_be_done_without(tmp_path: Path) -> None:
    java_report(tmp_path)
    (tmp_path / "small").mkdir()
    mount = f"mount -t tmpfs -o size=4k none {tmp_path / 'small'}"
    scan = SCAN.format(report=tmp_path / "mutation.json", cache=tmp_path / "cache")
    out = tmp_path / "small" / "scan.json"
    result = in_namespace(f"cd {ROOT}; {mount}; {scan} --out {out}")
    assert result.returncode == 2
    assert result.stderr.splitlines()[-1] == f"error: cannot write {out}: No space left on device"
