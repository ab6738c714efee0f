"""Few mutants are stillborn: real compilers on all mutants of a source."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import count
from equimut.mutation import mutate
from equimut.records import Mutant
from oracles import jdk
from oracles.datasets.java_flow_methods import ACCEPTED, REJECTED
from oracles.datasets.mutation_sources import SOURCES


def whole_text(source: str, mutant: Mutant) -> str:
    text = source.encode()
    before, after = text[: mutant.start_byte], text[mutant.end_byte :]
    return (before + mutant.replacement.encode() + after).decode()


def chosen(language: str) -> list[tuple[Mutant, str]]:
    source = SOURCES[language]
    mutants = mutate(source, language)
    return [(m, whole_text(source, m)) for m in mutants[:: count(10, 1)]]


def javac(directory: Path, sources: dict[str, str]) -> set[str]:
    """The names of the sources that do not compile."""
    for name, text in sources.items():
        (directory / f"{name}.java").write_text(text)
    files = [str(directory / f"{name}.java") for name in sources]
    # Without this the compiler checks the flow of no class once another one has an error.
    everything = ["-XDshould-stop.ifError=FLOW", "-Xmaxerrs", "9999"]
    command = [*jdk.JAVAC, "-proc:none", *everything, "-d", str(directory / "out"), *files]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    refused = set(re.findall(r"(\w+)\.java:\d+: error", result.stderr))
    assert (result.returncode == 0) == (not refused), result.stderr
    return refused


@pytest.mark.skipif(shutil.which("javac") is None, reason="no javac here")
def test_java_mutants_compile(tmp_path: Path) -> None:
    mutants = chosen("java")
    rename = re.compile(r"\bPrices\b")
    sources = {f"M{n}": rename.sub(f"M{n}", text) for n, (_, text) in enumerate(mutants)}
    refused = javac(tmp_path, sources)
    for n, (mutant, _) in enumerate(mutants):
        if f"M{n}" in refused:
            print(mutant.operator, mutant.line, mutant.original, "->", mutant.replacement)
    assert len(refused) / len(mutants) < 0.02


@pytest.mark.skipif(shutil.which("javac") is None, reason="no javac here")
def test_our_reachability_agrees_with_the_compiler(tmp_path: Path) -> None:
    methods = [*ACCEPTED, *REJECTED]
    sources = {f"R{n}": f"class R{n} {{ {text} }}" for n, text in enumerate(methods)}
    refused = javac(tmp_path, sources)
    assert refused == {f"R{n}" for n in range(len(ACCEPTED), len(methods))}


FINAL = """class Log {
    private final int[] kept;
    private final String name;
    private int used;

    Log(String name, int size) {
        this.name = name;
        used = 0;
        if (size > 0) {
            kept = new int[size];
        } else {
            kept = null;
        }
        this.used = size;
    }
}
"""


@pytest.mark.skipif(shutil.which("javac") is None, reason="no javac here")
def test_no_constructor_loses_the_assignment_of_a_final_field(tmp_path: Path) -> None:
    mutants = mutate(FINAL, "java", operators=["ADL"])
    assert [mutant.original for mutant in mutants] == ["used = 0;", "this.used = size;"]
    texts = [whole_text(FINAL, mutant) for mutant in mutants]
    sources = {f"F{n}": text.replace("Log", f"F{n}") for n, text in enumerate(texts)}
    assert not javac(tmp_path, sources)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc here")
def test_c_mutants_compile(tmp_path: Path) -> None:
    mutants = chosen("c")
    for n, (_, text) in enumerate(mutants):
        (tmp_path / f"m{n}.c").write_text(text)
    files = [str(path) for path in sorted(tmp_path.glob("m*.c"))]
    command = ["gcc", "-w", "-std=c11", "-fsyntax-only", *files]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    refused = {int(n) for n in re.findall(r"m(\d+)\.c:\d+:\d+: error", result.stderr)}
    for n in sorted(refused):
        mutant = mutants[n][0]
        print(mutant.operator, mutant.line, mutant.original, "->", mutant.replacement)
    assert len(refused) / len(mutants) < 0.02
