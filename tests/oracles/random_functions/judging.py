"""Proofs of mutants of random functions, and the runner's word on each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from zlib import crc32

from equimut.mutation import mutate
from equimut.parsing.functions import functions
from equimut.parsing.tree import parse
from equimut.proofs import proving
from equimut.proofs.smt import proving as smt
from equimut.records import Mutant
from oracles.random_functions import c, java, python
from oracles.random_functions.writing import RandomFunction

Prover = Callable[[str, str, str], str]
"""Source, mutated source, language -> the proof's name; empty for none."""
INPUTS = 14
_RUNNERS = {"java": java.run, "c": c.run, "python": python.run}
_TRIES = 40


@dataclass(frozen=True)
class Claim:
    """A mutant that was proved equivalent."""

    function: RandomFunction
    values: Sequence[tuple[int, ...]] | Sequence[tuple[str, ...]]
    mutated: str
    proof: str


@dataclass
class Tally:
    """What was asked, what was proved, and what the runner has against it."""

    mutants: int = 0
    proved: int = 0
    judged: int = 0
    """Proofs that the runner looked at: both sides compile."""
    wrong: list[str] = field(default_factory=list)


def by_rules(source: str, mutated: str, language: str) -> str:
    """The rule that proves it, given the whole text or the function alone."""
    texts = (source, mutated), (bare(source, language), bare(mutated, language))
    found = [rule.name for pair in texts if (rule := proving.prove(*pair, language))]
    return ", ".join(found)


def by_prover(source: str, mutated: str, language: str) -> str:
    """The scope of the prover's proof, given the function in its file, or alone."""
    pair = bare(source, language), bare(mutated, language)
    found = smt.prove(*pair, language, file=source)
    if found is None and crc32(mutated.encode()) % 4 == 0:
        found = smt.prove(*pair, language)
    return "" if found is None else f"{found.scope}: {found.facts} {found.assumptions}"


def bare(source: str, language: str) -> str:
    """The text of the function `f`."""
    tree = parse(source, language)
    found = next((each for each in functions(tree) if each.name == "f"), None)
    return source if found is None else tree.source[found.start : found.end].decode()


def judge(
    language: str, prover: Prover, seeds: Sequence[int], per_function: int, folder: Path
) -> Tally:
    """Ask a prover about mutants of random functions, and run what it proves."""
    tally, claims = Tally(), []
    for seed in seeds:
        function, values = random_function(language, seed)
        found = mutate(function.source, language, function="f")
        for mutant in Random(seed).sample(found, min(per_function, len(found))):
            tally.mutants += 1
            changed = _changed(function.source, mutant)
            if proof := prover(function.source, changed, language):
                tally.proved += 1
                rows = _assumed(values, proof) if language == "python" else values
                claims.append(Claim(function, rows, changed, f"{language} {seed}: {proof}"))
    for number, differs in enumerate(_differences(language, claims, folder)):
        tally.judged += differs is not None
        if differs:
            claim = claims[number]
            if len(tally.wrong) < 2:
                claim = _shrunk(language, prover, claim, folder / str(number))
            tally.wrong.append(f"{claim.proof}: {differs}\n{_shown(claim)}")
    return tally


def _assumed(
    values: Sequence[tuple[int, ...]] | Sequence[tuple[str, ...]], proof: str
) -> list[tuple[str, ...]]:
    """The inputs about which a proof speaks: one that assumes a plain int says nothing of True."""
    plain = [place for place, name in enumerate("abc") if f"`{name}` is exactly int" in proof]
    rows = [tuple(map(str, row)) for row in values]
    return [row for row in rows if not {row[place] for place in plain} & {"True", "False"}]


def random_function(
    language: str, seed: int
) -> tuple[RandomFunction, Sequence[tuple[int, ...]] | Sequence[tuple[str, ...]]]:
    """A function and what it is called with."""
    random = Random(f"{language} {seed}")
    if language == "python":
        of_python = python.PythonWriter(random, language)
        function = of_python.function()
        return function, python.inputs(of_python, function.types, INPUTS)
    writer = (java.JavaWriter if language == "java" else c.CWriter)(random, language)
    return writer.function(), java.inputs(writer, INPUTS)


def _changed(source: str, mutant: Mutant) -> str:
    text = source.encode()
    edited = text[: mutant.start_byte] + mutant.replacement.encode() + text[mutant.end_byte :]
    return edited.decode()


def _differences(language: str, claims: Sequence[Claim], folder: Path) -> list[str | None]:
    """Of each claim what tells the two apart; empty for nothing, None if it could not be run."""
    if not claims:
        return []
    folder.mkdir(parents=True, exist_ok=True)
    jobs = [(each.function, [each.function.source, each.mutated], each.values) for each in claims]
    found: list[str | None] = []
    for before, after in _RUNNERS[language](folder, jobs):
        if before is None or after is None:
            found.append(None)
            continue
        pairs = zip(before.split(";"), after.split(";"), strict=False)
        # What is undefined in the origin is outside of its domain.
        apart = [f"{one} / {other}" for one, other in pairs if one not in (other, "undefined")]
        found.append(apart[0] if apart else "")
    return found


def _shrunk(language: str, prover: Prover, claim: Claim, folder: Path) -> Claim:
    """A smaller claim that is still wrong: lines left out on both sides."""
    old, new = claim.function.source.splitlines(), claim.mutated.splitlines()
    size, tries = len(old) // 2, 0
    while len(old) == len(new) and size and tries < _TRIES:
        for start in range(0, len(old), size):
            texts = ["\n".join(side[:start] + side[start + size :]) + "\n" for side in (old, new)]
            if texts[0] == texts[1] or not prover(*texts, language):
                continue
            tries += 1
            function = replace(claim.function, source=texts[0])
            smaller = replace(claim, function=function, mutated=texts[1])
            if _differences(language, [smaller], folder / str(tries))[0]:
                claim, old, new = smaller, texts[0].splitlines(), texts[1].splitlines()
                break
        else:
            size //= 2
    return claim


def _shown(claim: Claim) -> str:
    old, new = claim.function.source.splitlines(), claim.mutated.splitlines()
    return "\n".join(
        one if one == other else f"{one}   ==>   {other.strip()}"
        for one, other in zip(old, new, strict=False)
    )
