"""The prover on C: what it must prove, and what it must never prove."""

import re
import subprocess
from pathlib import Path

import pytest

from equimut.proofs.smt.proving import prove
from oracles.datasets.c_prover_cases import EQUIVALENT, KILLABLE, REFUSED, Killable

_PRELUDE = """
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#define SHOW(x) printf(" %lld", (long long) (x))
"""
_MAIN = """
int main(void) {
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int status = 0;
        fflush(stdout);
        if (fork() == 0) { close(2); alarm(1); cases[i](); fflush(stdout); _exit(0); }
        wait(&status);
        printf(" %s\\n", status ? "fails" : "ends");
    }
}
"""


def mutated(case: tuple[str, ...]) -> tuple[str, str]:
    origin, before, after = case[:3]
    assert origin.count(before) == 1, "the change is in one place"
    return origin, origin.replace(before, after)


@pytest.mark.parametrize("name", EQUIVALENT)
def test_equivalent_mutants_are_proved(name: str) -> None:
    origin, mutant = mutated(EQUIVALENT[name])
    assert prove(origin, mutant, "c") is not None


@pytest.mark.parametrize("name", [*KILLABLE, *REFUSED])
def test_killable_mutants_are_not_proved(name: str) -> None:
    origin, mutant = mutated(KILLABLE.get(name) or REFUSED[name])
    assert prove(origin, mutant, "c") is None


def test_killable_mutants_are_killed_by_a_run(tmp_path: Path) -> None:
    outputs = [
        _ran(tmp_path / side, [mutated(case)[place] for case in KILLABLE.values()])
        for place, side in enumerate(("origins", "mutants"))
    ]
    assert all(line.endswith("ends") for line in outputs[0])
    alike = [name for name, one, other in zip(KILLABLE, *outputs, strict=True) if one == other]
    assert not alike


def _ran(path: Path, texts: list[str]) -> list[str]:
    """Compile all functions into one program, with sanitizers, and run each in its own process."""
    parts = [
        _renamed(text, case, number)
        for number, (text, case) in enumerate(zip(texts, KILLABLE.values(), strict=True))
    ]
    table = ", ".join(f"case{number}" for number in range(len(parts)))
    source = path.with_suffix(".c")
    source.write_text(
        _PRELUDE + "\n".join(parts) + f"\nstatic void (*cases[])(void) = {{{table}}};\n" + _MAIN
    )
    flags = ["-w", "-O0", "-ftrivial-auto-var-init=pattern", "-fno-sanitize-recover=all"]
    checks = "-fsanitize=undefined,address,float-cast-overflow"
    subprocess.run(["gcc", *flags, checks, "-o", path, source, "-lm"], check=True)
    done = subprocess.run([path], capture_output=True, text=True, timeout=60, check=True)
    return done.stdout.splitlines()


def _renamed(text: str, case: Killable, number: int) -> str:
    """The case with names of its own, followed by its run."""
    code = f"{case.hidden}\n{text}\nstatic void case{number}(void) {{ {case.run} }}\n"
    names = {"f", *re.findall(r"\bstatic\b[^;={(]*?(\w+)(?:\[\d\])?\s*[;=(]", text)}
    for name in names:
        code = re.sub(rf"(?<![\w.>]){name}\b", f"{name}_{number}", code)
    macros = re.findall(r"#define (\w+)", code)
    return code + "".join(f"#undef {name}\n" for name in macros)
