"""The command line as a user meets it: real processes, one line per error, exit codes."""

import ast
import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

import equimut
from conftest import ROOT
from equimut.cli.main import register
from oracles.command import call_equimut, run_equimut

PACKAGE = ROOT / "src" / "equimut"


def user_seconds(code: str) -> float:
    """The best of five runs, in processor time: the machine may be busy with other things."""
    probe = f"import resource\n{code}\nr = resource.getrusage(resource.RUSAGE_SELF)\n"
    probe += "print(r.ru_utime + r.ru_stime)"
    runs = (
        subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
        for _ in range(5)
    )
    return min(float(done.stdout.split()[-1]) for done in runs)


HELP = """
import sys
sys.argv = ["equimut", "--help"]
from equimut.cli.main import main
try:
    main()
except SystemExit:
    pass
"""


@pytest.mark.parametrize("code", ["import equimut", HELP], ids=["import", "help"])
def test_starting_takes_under_half_a_second(code: str) -> None:
    assert user_seconds(code) < 0.5


@pytest.mark.parametrize("code", ["import equimut, sys", "import sys\n" + HELP])
def test_starting_imports_nothing_heavy(code: str) -> None:
    heavy = "{'torch', 'transformers', 'matplotlib', 'tree_sitter', 'rdflib', 'sklearn', 'scipy'}"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nprint('heavy:', *({heavy} & set(sys.modules)))"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.rstrip().endswith("heavy:")


def test_public_names_are_there_on_first_use() -> None:
    for name in equimut.__all__:
        assert getattr(equimut, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Nonsense'"):
        _ = equimut.Nonsense


def test_version_and_help() -> None:
    assert run_equimut("--version").stdout == f"equimut {equimut.__version__}\n"
    told = run_equimut("--help")
    assert told.returncode == 0
    assert "Exit codes" in told.stdout


PANELS = {
    "Scan a report": "scan review accept reject record registry",
    "Judge and train": "judge train evaluate runs compare baselines sweep trials analyze paper",
    "Inspect code": "mutate graph oracle prove",
    "Data": "data",
    "Maintain equimut": "dev",
}


def test_a_call_in_python_leaves_the_signals_as_they_were() -> None:
    ends = (signal.SIGTERM, signal.SIGHUP)
    before = [signal.signal(number, signal.SIG_DFL) for number in ends]
    try:
        assert call_equimut("--version").returncode == 0
        assert call_equimut("scan", "no-such-report.xml").returncode == 2
        assert [signal.getsignal(number) for number in ends] == [signal.SIG_DFL, signal.SIG_DFL]
    finally:
        for number, handler in zip(ends, before, strict=True):
            signal.signal(number, handler)


def test_help_groups_the_commands_by_what_people_want() -> None:
    found: dict[str, list[str]] = {}
    for line in run_equimut("--help").stdout.splitlines():
        if line.startswith("╭─ "):
            rows = found.setdefault(line.strip("╭─╮ "), [])
        elif re.match(r"│ \w", line):
            rows.append(line.split()[1])
    assert {title: " ".join(rows) for title, rows in found.items() if title in PANELS} == PANELS
    dev = run_equimut("dev", "--help").stdout
    for name in ("corpus", "labels", "pretrain", "ship", "build-bundled", "tour", "demo"):
        assert f"│ {name} " in dev


def all_commands() -> dict[str, Any]:
    """Every command that does something, as a user types it."""
    app = typer.Typer()
    register(app)
    found: dict[str, Any] = {}

    def collect(command: Any, words: str) -> None:
        if not hasattr(command, "commands"):
            found[words] = command
            return
        for name, inner in command.commands.items():
            collect(inner, f"{words} {name}")

    collect(typer.main.get_command(app), "equimut")
    return found


def test_messages_and_help_name_commands_that_exist() -> None:
    pages = [ROOT / "README.md", ROOT / "Makefile", *(ROOT / "docs").glob("*.md")]
    named = set()
    for path in [*PACKAGE.rglob("*.py"), *pages]:
        named |= set(re.findall(r"[`/]equimut((?: [a-z][a-z-]+)+)", path.read_text()))
    assert {" dev corpus tokenizer", " dev labels build", " dev tour"} <= named
    commands = [command.removeprefix("equimut") + " " for command in all_commands()]
    for name in named:  # a command with arguments, or a group
        assert any(f"{name} ".startswith(c) or c.startswith(f"{name} ") for c in commands), name


def test_help_speaks_the_words_of_the_field() -> None:
    left = r"\b(sitting|wish\w*|fenced?|committee|beside|places|dev (part|rows)|figures?|luck)\b"
    for name, command in all_commands().items():
        texts = [command.help, *(getattr(option, "help", "") or "" for option in command.params)]
        assert [text for text in texts if re.search(left, text)] == [], name


WATCHED = """
from equimut.cli.progress import counting
with counting("counting sheep", 3) as advance:
    advance()
    advance(2)
"""


def test_a_bar_is_drawn_in_a_terminal_and_never_in_a_log() -> None:
    log = subprocess.run([sys.executable, "-c", WATCHED], capture_output=True, check=True)
    assert (log.stdout, log.stderr) == (b"", b"")
    ours, theirs = pty.openpty()
    subprocess.run([sys.executable, "-c", WATCHED], stderr=theirs, check=True)
    os.close(theirs)
    assert b"counting sheep" in os.read(ours, 100_000)
    os.close(ours)


def test_there_is_one_place_for_progress_bars() -> None:
    users = [path.name for path in PACKAGE.rglob("*.py") if "rich.progress" in path.read_text()]
    assert users == ["progress.py"] or users == []


def test_commands_do_not_import_each_other() -> None:
    commands = [
        p for p in (PACKAGE / "cli").glob("*/*.py") if p.stem not in ("__init__", "request")
    ]
    names = {".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts) for path in commands}
    for path in commands:
        assert [name for name in names if f"from {name} import" in path.read_text()] == []


def test_the_local_engine_loads_no_sweep() -> None:
    code = (
        "import sys\nfrom equimut.cli.options import cluster_of\ncluster_of('local', None, None)\n"
    )
    code += "print([name for name in sys.modules if name.startswith('equimut.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(ast.literal_eval(done.stdout)) == {
        "equimut.cli", "equimut.cli.console", "equimut.cli.options", "equimut.errors",
        "equimut.storage", "equimut.storage.files",
    }  # fmt: skip


def test_an_expected_error_is_one_line_and_exit_code_two(tmp_path: Path) -> None:
    done = call_equimut("dev", "demo", "--out", str(tmp_path / "x.gif"))
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    assert "png" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_debug_shows_the_traceback_wherever_it_stands(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("int f() { return 1; }")
    for arguments in (["--debug", "graph"], ["graph", "--debug"]):
        done = run_equimut(*arguments, tmp_path / "x", "--language", "cobol")
        assert "Traceback" in done.stderr
        assert "EquimutError" in done.stderr


def test_wrong_usage_is_exit_code_two() -> None:
    for arguments in (["nonsense"], ["dev", "demo", "--steps", "0"], ["graph", "--no-such-option"]):
        done = run_equimut(*arguments)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr


def test_an_output_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    target = tmp_path / "file" / "x.png"
    done = call_equimut("dev", "demo", "--steps", "1", "--json", "--out", str(target))
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "cannot write" in done.stderr


def test_a_reader_that_goes_away_is_not_an_error() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([sys.executable, "-m", "equimut", "--version"], stdout=writer,
                          stderr=subprocess.PIPE, text=True, check=False)  # fmt: skip
    os.close(writer)
    assert "Traceback" not in done.stderr


def test_demo_draws_and_tells_that_the_clusters_were_purged(tmp_path: Path) -> None:
    picture = tmp_path / "new" / "demo.png"
    done = call_equimut("dev", "demo", "--out", str(picture), "--json")
    told = json.loads(done.stdout)
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert told["before"]["share_in_order"] < 0.6
    assert told["after"]["share_in_order"] > 0.9
    assert told["after"]["non_equivalent_distance"] > told["after"]["equivalent_distance"]
