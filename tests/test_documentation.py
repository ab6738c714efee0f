"""The documents tell the truth: their Python runs, their links lead somewhere."""

import re
from pathlib import Path
from shutil import copy

import pytest

from conftest import ROOT
from equimut.scanning.example import example_report
from oracles.encoders.tiny_encoder import save_tiny_encoder

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PYTHON_BLOCK = re.compile(r"^```python\n(.*?)^```", re.M | re.S)
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
EXAMPLES = [
    pytest.param(block.group(1), id=f"{page.name}-{number}")
    for page in PAGES
    for number, block in enumerate(PYTHON_BLOCK.finditer(page.read_text()), start=1)
]


def test_there_are_examples_to_run() -> None:
    assert len(EXAMPLES) >= 4


@pytest.mark.parametrize("example", EXAMPLES)
def test_example_runs(example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Where an example names a model of the hub, a directory of that name stands in for it.
    save_tiny_encoder(tmp_path / "microsoft" / "unixcoder-base", layers=1, hidden=16)
    # A report stands in for the user's, a cache for theirs.
    copy(example_report(), tmp_path / "mutation.json")
    monkeypatch.setenv("EQUIMUT_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    exec(compile(example, "example", "exec"), {"__name__": "example"})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_local_links_lead_somewhere(page: Path) -> None:
    links = [link for link in LINK.findall(page.read_text()) if "://" not in link]
    assert [link for link in links if not (page.parent / link).exists()] == []
