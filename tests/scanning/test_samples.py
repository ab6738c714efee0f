"""Reports that real tools wrote, scanned end to end: the counts are the tools' own."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from conftest import shared_file
from oracles.command import Result, call_equimut
from oracles.reports.elements_samples import SAMPLES


@pytest.fixture(autouse=True)
def _own_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EQUIMUT_CACHE", str(tmp_path / "cache"))


def scanned(path: Path, *more: object) -> tuple[dict[str, Any], Result]:
    """What `scan --all` says; all mutants are judged, so all are in the output."""
    result = call_equimut(
        "scan", path, "--no-model", "--prove-budget", "none", "--all", "--json", *more
    )
    assert result.returncode in (0, 3), result.stderr
    found = json.loads(result.stdout)
    assert sum(found["report"]["statuses"].values()) == found["report"]["total"]
    assert len(found["mutants"]) == found["report"]["total"]
    assert Counter(row["tool_status"] for row in found["mutants"]) == Counter(
        found["report"]["tool_statuses"]
    )
    return found, result


@pytest.mark.parametrize("name", SAMPLES)
def test_elements(name: str) -> None:
    path = shared_file("samples", "elements", name)
    found, _ = scanned(path)
    # Counted in the text itself: each mutant has one status, in quotes or not.
    stated = Counter(re.findall(r"""["']?status["']?\s*:\s*["'](\w+)["']""", path.read_text()))
    assert found["report"]["tool_statuses"] == dict(stated)


def test_pit() -> None:
    for name in ("mutations_full-data.xml", "mutation_snippet.xml"):
        path = shared_file("samples", "pit", name)
        found, _ = scanned(path, "--source", path.parent)
        stated = Counter(re.findall(r"status=['\"](\w+)['\"]", path.read_text()))
        assert found["report"]["tool_statuses"] == dict(stated)


def test_cosmic_ray(tmp_path: Path) -> None:
    session = shared_file("samples", "cosmic-ray", "session.sqlite")
    (tmp_path / "src" / "toy").mkdir(parents=True)
    source = shared_file("samples", "cosmic-ray", "search.py").read_text()
    (tmp_path / "src" / "toy" / "search.py").write_text(source)
    found, result = scanned(session, "--source", tmp_path)
    assert result.returncode == 0
    surviving = shared_file("samples", "cosmic-ray", "cr-report_surviving.txt").read_text()
    stated = re.search(r"surviving mutants: (\d+)", surviving)
    assert stated is not None
    assert found["report"]["statuses"]["survived"] == int(stated[1])


def test_mutmut(tmp_path: Path) -> None:
    root = shared_file("samples", "mutmut")
    place = tmp_path / "mutants" / "src" / "toy"
    place.mkdir(parents=True)
    (tmp_path / "src" / "toy").mkdir(parents=True)
    (place / "search.py").write_bytes((root / "mutants_src_toy_search.py").read_bytes())
    (place / "search.py.meta").write_bytes((root / "search.py.meta").read_bytes())
    (tmp_path / "src" / "toy" / "search.py").write_bytes((root / "search_original.py").read_bytes())
    found, result = scanned(tmp_path)
    assert result.returncode == 0
    stated = json.loads((root / "mutmut-cicd-stats.json").read_text())
    assert found["report"]["total"] == stated.pop("total")
    words = {name.replace(" ", "_"): n for name, n in found["report"]["tool_statuses"].items()}
    assert words == {name: number for name, number in stated.items() if number}


def test_major() -> None:
    log = shared_file("samples", "major", "mutants_triangle.log")
    found, _ = scanned(log, "--source", log.parent, "--input-format", "major")
    assert found["report"]["total"] == len(log.read_text().strip().splitlines())


def test_cargo_mutants() -> None:
    outcomes = shared_file("samples", "cargo-mutants", "outcomes.json")
    found, result = scanned(outcomes)
    assert result.returncode == 3  # Rust: listed and counted, never predicted
    missed = shared_file("samples", "cargo-mutants", "missed.txt").read_text()
    assert found["report"]["statuses"]["survived"] == len(missed.strip().splitlines())
    assert {row["verdict"] for row in found["mutants"]} == {"unknown"}
