"""The documents tell the truth: their Python runs, their links lead somewhere."""

import re
import shlex
from pathlib import Path
from shutil import copy

import pytest

from conftest import ROOT
from equimut.data.store import write_pairs
from equimut.scanning.example import example_report
from oracles.command import call_equimut
from oracles.datasets.small_data import small_pairs
from oracles.encoders.tiny_encoder import save_tiny_encoder

PAGES = [
    *(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "results").glob("*.md")),
]
PYTHON_BLOCK = re.compile(r"^```python\n(.*?)^```", re.M | re.S)
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
EXAMPLES = [
    pytest.param(block.group(1), id=f"{page.name}-{number}")
    for page in PAGES
    for number, block in enumerate(PYTHON_BLOCK.finditer(page.read_text()), start=1)
]


@pytest.mark.parametrize("example", EXAMPLES)
def test_example_runs(example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Where an example names a model of the hub, a directory of that name stands in for it.
    save_tiny_encoder(tmp_path / "microsoft" / "unixcoder-base", layers=1, hidden=16)
    # A report stands in for the user's, a cache for theirs.
    copy(example_report(), tmp_path / "mutation.json")
    monkeypatch.setenv("EQUIMUT_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    exec(compile(example, "example", "exec"), {"__name__": "example"})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_local_links_lead_somewhere(page: Path) -> None:
    links = [link for link in LINK.findall(page.read_text()) if "://" not in link]
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_every_page_is_in_the_index() -> None:
    index = ROOT / "docs" / "README.md"
    linked = {index.parent / link for link in LINK.findall(index.read_text())}
    assert set((ROOT / "docs").glob("*.md")) - linked == {index}


def test_the_first_screen_shows_real_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EQUIMUT_CACHE", str(tmp_path / "cache"))
    shown = (ROOT / "README.md").read_text().split("```")[3].strip("\n").splitlines()
    assert len(shown) > 10
    real = call_equimut("scan", "--example").stdout.splitlines()
    assert [line for line in shown if line not in real] == []


def test_the_quickstart_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command of the page, on fewer rows and with a tiny encoder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EQUIMUT_CACHE", str(tmp_path / "cache"))
    encoder = save_tiny_encoder(tmp_path / "encoder", layers=1, hidden=16)
    page = (ROOT / "docs" / "quickstart-training.md").read_text()
    block = re.search(r"^```sh\npip install '\.\[train\]'\n(.*?)^```", page, re.M | re.S)
    assert block is not None
    commands = [shlex.split(line)[1:] for line in block.group(1).splitlines()]
    assert [command[0] for command in commands] == [
        "data", "data", "baselines", "train", "evaluate", "judge", "scan",
    ]  # fmt: skip
    for command in commands:
        done = call_equimut(*command, *(["--encoder", encoder] if command[0] == "train" else []))
        assert done.returncode == 0, done.stderr
        if "bundled" in command:  # from here on fewer of them
            write_pairs(tmp_path / "pairs.jsonl", small_pairs(origins=30))
        if command[0] == "evaluate":  # what follows asks the prover about each of them
            write_pairs(tmp_path / "pairs.jsonl", small_pairs(origins=30)[:12])
