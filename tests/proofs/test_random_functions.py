"""Random functions, mutated: a real runner finds nothing against what is called equivalent."""

import shutil
from pathlib import Path

import pytest

from conftest import count
from oracles.random_functions.judging import Prover, Tally, by_prover, by_rules, judge

TOOLS = {"java": "javac", "c": "gcc", "python": "python3"}
BATCH = 50
PARTS = count(1, 14)
"""Parts of the prover's functions, which processes share."""
FUNCTIONS = 700
"""Functions of each language that the prover is asked about in full, ten mutants each."""


def _judged(
    language: str, prover: Prover, functions: range, per_function: int, folder: Path
) -> Tally:
    if shutil.which(TOOLS[language]) is None:
        pytest.skip(f"{TOOLS[language]} is not here")
    whole = Tally()
    for at in range(0, len(functions), BATCH):
        part = judge(language, prover, functions[at : at + BATCH], per_function, folder / str(at))
        whole.mutants += part.mutants
        whole.judged += part.judged
        whole.wrong += part.wrong
    return whole


@pytest.mark.parametrize("language", TOOLS)
def test_no_rule_is_wrong(language: str, tmp_path: Path) -> None:
    found = _judged(language, by_rules, range(count(5, 120)), count(60, 100), tmp_path)
    assert not found.wrong, "\n\n".join(found.wrong)
    assert found.judged >= 1
    assert found.mutants >= count(60, 6_700)


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("language", TOOLS)
def test_the_prover_is_not_wrong(language: str, part: int, tmp_path: Path) -> None:
    functions = range(count(2, FUNCTIONS))[part::PARTS]
    found = _judged(language, by_prover, functions, count(6, 10), tmp_path)
    assert not found.wrong, "\n\n".join(found.wrong)
    assert found.mutants >= count(8, 9 * len(functions))


def test_a_wrong_proof_is_caught_and_made_smaller(tmp_path: Path) -> None:
    def careless(source: str, mutated: str, language: str) -> str:
        return "a return is a return" if source.count("return") == mutated.count("return") else ""

    found = judge("python", careless, range(2), 10, tmp_path)
    assert found.wrong
    assert min(len(text.splitlines()) for text in found.wrong) < 40
