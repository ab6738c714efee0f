"""What reports, settings and file names hold never steers a terminal, whoever prints it."""

import json
import os
import pty
import re
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import ROOT
from equimut.scanning.outputs import FORMATS, write_output
from equimut.storage.files import shown_json
from oracles.command import RULES_ONLY
from oracles.reports.every_reader import mutmut_project
from oracles.scans.scan_results import RANGES, reported, scan_result, verdict

EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e[bold red]x[/]"
"""A window's title, a bell, an empty screen, the short way to colours, reversed text, markup."""
COLOUR = re.compile(r"\x1b\[[\d;]*m")


def in_terminal(folder: Path, *arguments: object) -> str:
    """What a terminal is sent by the command."""
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "equimut", *map(str, arguments)]
    environment = {**os.environ, "EQUIMUT_CACHE": str(folder / "cache"), "COLUMNS": "200"}
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=slave, stderr=slave) as run:
        os.close(slave)
        sent = b""
        try:
            while part := os.read(master, 65536):
                sent += part
        except OSError:  # the other end is closed
            pass
        run.wait(60)
    os.close(master)
    return sent.decode(errors="replace")


def steering(text: str) -> set[str]:
    """Characters that do something, apart from line breaks."""
    return {c for c in text if unicodedata.category(c) in ("Cc", "Cf") and c not in "\r\n"}


def registry_key(folder: Path) -> list[object]:
    known = 'key="0123456789ab"\nfile="f"\nfunction="g"\nchange="a -> b"\nplace=1\ncontext="c"\n'
    rest = 'reason="r"\nauthor="a"\ntier="unknown"\ndate=2026-01-01\n'
    entry = f"[[equivalent]]\n{known}{rest}{json.dumps(EVIL)} = 1\n"
    (folder / "equivalents.toml").write_text(entry)
    return ["registry", "show"]


def setting(folder: Path) -> list[object]:
    (folder / "pyproject.toml").write_text(f"[tool.equimut]\n{json.dumps(EVIL)} = 1\n")
    return ["registry", "show"]


def file_of_mutmut(folder: Path) -> list[object]:
    mutants = mutmut_project(folder) / "mutants" / "src"
    (mutants / f"{EVIL.replace('/', '')}.py.meta").write_text("{")
    return ["scan", folder, *RULES_ONLY]


@pytest.mark.parametrize("case", [registry_key, setting, file_of_mutmut], ids=lambda c: c.__name__)
def test_an_error_line_cannot_steer_the_terminal(
    case: Callable[[Path], list[object]], tmp_path: Path
) -> None:
    sent = in_terminal(tmp_path, *case(tmp_path))
    assert "error: " in sent
    assert "owned" in sent  # it is named
    assert steering(COLOUR.sub("", sent)) == set()


@pytest.mark.parametrize("format", FORMATS)
def test_no_format_passes_a_control_character(
    format: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    mutant = reported(0, RANGES, "low <= high", f"low < high /* {EVIL} */", operator=EVIL)
    mutant = mutant.model_copy(update={"file": EVIL, "description": EVIL, "id": EVIL})
    bare = mutant.model_copy(update={"index": 1, "change": None, "line": None})
    result = scan_result(
        [verdict(mutant, "not-equivalent", "killed", reason=EVIL),
         verdict(bare, "unknown", "unknown", reason=EVIL)],
        notes=(EVIL,), path=Path(EVIL),
    )  # fmt: skip
    write_output(result, format, tmp_path / "out")
    assert steering((tmp_path / "out").read_text(encoding="utf-8")) == set()
    if format == "github":
        assert steering((tmp_path / "summary.md").read_text(encoding="utf-8")) == set()


def test_json_for_a_terminal_means_the_same() -> None:
    value = {EVIL: [EVIL, "é\U000e0001\n"]}
    text = shown_json(json.dumps(value, ensure_ascii=False, indent=1))
    assert steering(text) == set()
    assert "é" in text
    assert json.loads(text) == value


def test_commands_print_through_the_console() -> None:
    """The console makes text visible; whoever prints past it must do so himself."""
    folder = ROOT / "src" / "equimut" / "cli"
    raw = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*.py")
        if re.search(r"typer\.s?echo\((?!shown)", path.read_text(encoding="utf-8"))
    }
    assert raw == {"console.py", "main.py"}  # main.py: the version
