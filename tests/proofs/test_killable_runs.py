"""The killable cases are killed: each is run, and what is seen differs."""

import contextlib
import io
import subprocess
from pathlib import Path

from oracles import jdk
from oracles.c_program import ran
from oracles.datasets import killable_c, killable_java, killable_python
from oracles.datasets.killable_case import Case, mutated
from oracles.datasets.killable_runs import C_NOT_RUN, JAVA, PYTHON, PYTHON_NOT_RUN, C, Run
from proofs.test_wrong_proofs import EQUIVALENT

_MAIN = """
    interface Case { Object run() throws Throwable; }
    public static void main(String[] args) throws Exception {
        Case[] cases = { %s };
        var own = java.lang.management.ManagementFactory.getThreadMXBean();
        for (Case each : cases) {
            String[] seen = { "runs on" };
            Thread thread = new Thread(() -> {
                try { seen[0] = String.valueOf(each.run()); }
                catch (Throwable error) { seen[0] = error.toString(); }
            });
            thread.setDaemon(true);
            thread.start();
            // Its own time counts, not that of a busy machine; the wall's only where it waits.
            for (int turn = 0; turn < 300 && own.getThreadCpuTime(thread.getId()) < 300_000_000L
                    && thread.isAlive(); turn++) thread.join(10);
            System.out.println(seen[0]);
            try { thread.stop(); } catch (UnsupportedOperationException error) { }
        }
        Runtime.getRuntime().halt(0);
    }
"""


def sides(cases: dict[str, Case], runs: dict[str, Run]) -> list[list[str]]:
    """Origins and mutants of the cases that are run, in their order."""
    return [[mutated(cases[name])[place] for name in runs] for place in (0, 1)]


def seen_in_python(source: str, expression: str) -> tuple[object, ...]:
    printed = io.StringIO()
    names: dict[str, object] = {}
    try:
        with contextlib.redirect_stdout(printed):
            exec(source, names)
            value: object = repr(eval(expression, names))
    except (Exception, SyntaxError) as error:  # noqa: BLE001 - whatever it raises is seen
        value = (type(error), str(error))
    return value, printed.getvalue()


def test_python_cases_are_killed_by_a_run() -> None:
    equivalent = {name.partition(": ")[2] for name in EQUIVALENT if name.startswith("python")}
    assert PYTHON.keys() == killable_python.KILLABLE.keys() - equivalent - PYTHON_NOT_RUN
    origins, mutants = sides(killable_python.KILLABLE, PYTHON)
    alike = [
        name
        for (name, (before, run)), *texts in zip(PYTHON.items(), origins, mutants, strict=True)
        if len({seen_in_python(before + text, run) for text in texts}) == 1
    ]
    assert not alike


def test_c_cases_are_killed_by_a_run(tmp_path: Path) -> None:
    assert C.keys() == killable_c.KILLABLE.keys() - C_NOT_RUN
    origins, mutants = (
        ran(tmp_path / f"side{place}", texts, list(C.values()))
        for place, texts in enumerate(sides(killable_c.KILLABLE, C))
    )
    assert all(line.endswith("ends") for line in origins)
    assert not [name for name, *pair in zip(C, origins, mutants, strict=True) if pair[0] == pair[1]]


def test_java_cases_are_killed_by_a_run(tmp_path: Path) -> None:
    assert JAVA.keys() == killable_java.KILLABLE.keys()
    origins, mutants = sides(killable_java.KILLABLE, JAVA)
    seen = _ran_in_java(tmp_path / "Cases.java", [*origins, *mutants], [*JAVA.values()] * 2)
    origins, mutants = seen[: len(JAVA)], seen[len(JAVA) :]
    assert "runs on" not in origins
    assert "runs on" in mutants  # and the others had their turn
    alike = [name for name, *pair in zip(JAVA, origins, mutants, strict=True) if pair[0] == pair[1]]
    assert not alike


def _ran_in_java(path: Path, texts: list[str], runs: list[Run]) -> list[str]:
    """What each case shows, all of them as classes of one program."""
    classes = [
        f"static class Case{number} {{ {before} {text} Object run() {{ return {run}; }} }}"
        for number, (text, (before, run)) in enumerate(zip(texts, runs, strict=True))
    ]
    calls = ", ".join(f"() -> new Case{number}().run()" for number in range(len(texts)))
    body = "\n".join(classes) + _MAIN % calls
    path.write_text(f"public class {path.stem} {{\n{body}\n}}\n")
    command = [*jdk.JAVA, path]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
