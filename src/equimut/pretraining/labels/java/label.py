"""Labels for Java in the wild: methods that can stand alone, run by the oracle."""

from pathlib import Path

from equimut.mutation import mutate
from equimut.mutation.identity import draw
from equimut.oracle.judging import judge_mutants
from equimut.oracle.verdicts import OracleSettings, OracleVerdict
from equimut.pretraining.labels.java.check import compiling
from equimut.pretraining.labels.java.methods import ClosedMethod, closed_methods
from equimut.pretraining.labels.records import LabelledPair, in_turn, kept_of_origin, pair_of
from equimut.records import Mutant

TRIED = 32
MOST_METHODS = 8
"""Methods of one file: overloads of one idea are many."""
SETTINGS = OracleSettings(
    inputs=1_500, exhaustive_limit=1_500, wall_seconds=2, memory_mb=256, prove=False
)
FEWEST_INPUTS = 300
"""A mutant that survived fewer inputs than this has not been put to the test."""
MOST_SURVIVORS = 0.3
"""The share of survivors above which a method is not believed."""
UNREFUTED = 0.95
"""The weight of having survived; some would fall to more inputs."""


def label_java_file(path: Path, program: str, seed: int) -> list[LabelledPair]:
    """Pairs of the methods of a file that can stand alone."""
    source = path.read_bytes().decode(errors="replace")
    found = {method.source: method for method in closed_methods(source)}
    chosen = sorted(found.values(), key=lambda one: draw(one.source, seed))[: 2 * MOST_METHODS]
    rows: list[LabelledPair] = []
    for method in compiling(chosen)[:MOST_METHODS] if chosen else ():
        rows += kept_of_origin(label_method(method, program, seed), seed)
    return rows


def label_method(method: ClosedMethod, program: str, seed: int) -> list[LabelledPair]:
    """Pairs of one method; none for one that the oracle cannot run."""
    mutants = in_turn(mutate(method.text, "java"), TRIED, seed)
    if not mutants:
        return []
    texts = [method.with_mutant(mutant.mutant_function) for mutant in mutants]
    verdicts = judge_mutants(method.source, texts, "java", SETTINGS)
    judged = (
        _row(mutant, verdict, program) for mutant, verdict in zip(mutants, verdicts, strict=True)
    )
    rows = [row for row in judged if row is not None]
    # Where many mutants survive, the inputs never passed some check: nothing was put to the test.
    survived = sum(row.label for row in rows)
    return rows if survived <= MOST_SURVIVORS * len(rows) else []


def _row(mutant: Mutant, verdict: OracleVerdict, program: str) -> LabelledPair | None:
    if verdict.tier == "killed":
        return pair_of(mutant, "java", program, 0, "killed")
    if verdict.tier == "proved":
        return pair_of(mutant, "java", program, 1, "proved")
    if verdict.tier == "unrefuted" and verdict.inputs >= FEWEST_INPUTS:
        return pair_of(mutant, "java", program, 1, "unrefuted", weight=UNREFUTED)
    return None
