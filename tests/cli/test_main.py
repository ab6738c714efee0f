"""The command line as a user meets it: real processes, one line per error, exit codes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import equimut
from oracles.command import run_equimut


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
    assert "demo" in told.stdout
    assert "Exit codes" in told.stdout


def test_an_expected_error_is_one_line_and_exit_code_two(tmp_path: Path) -> None:
    done = run_equimut("demo", "--out", str(tmp_path / "x.gif"))
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    assert "png" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_debug_shows_the_traceback_wherever_it_stands(tmp_path: Path) -> None:
    for arguments in (["--debug", "demo"], ["demo", "--debug"]):
        done = run_equimut(*arguments, "--out", str(tmp_path / "x.gif"))
        assert "Traceback" in done.stderr
        assert "EquimutError" in done.stderr


def test_wrong_usage_is_exit_code_two() -> None:
    for arguments in (["nonsense"], ["demo", "--steps", "0"], ["demo", "--no-such-option"]):
        done = run_equimut(*arguments)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr


def test_an_output_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    done = run_equimut("demo", "--steps", "1", "--json", "--out", str(tmp_path / "file" / "x.png"))
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
    done = run_equimut("demo", "--out", str(picture), "--json")
    told = json.loads(done.stdout)
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert told["before"]["share_in_order"] < 0.6
    assert told["after"]["share_in_order"] > 0.9
    assert told["after"]["non_equivalent_distance"] > told["after"]["equivalent_distance"]
