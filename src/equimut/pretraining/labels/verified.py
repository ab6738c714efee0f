"""What the prover sees of mutants whose labels rest on runs: held-out origins of the benchmark."""

from functools import cache

from equimut.mutation.identity import draw
from equimut.pretraining.labels.records import LabelledPair
from equimut.pretraining.loop.pairs import bundled_parts, halves
from equimut.proofs.proving import prove
from equimut.records import Pair

MOST_OF_A_LABEL = 12
"""Mutants of an origin with one label that the prover is asked about."""


def held_out_origins() -> list[tuple[str, int, str]]:
    """Language, class id and part of every origin that no model is trained on.

    One half of them calibrates, the other measures, as for the detector that ships.
    """
    return sorted(
        {
            (pair.language, pair.class_id, part)
            for part, pairs in zip(("validation", "test"), _parts(), strict=True)
            for pair in pairs
        }
    )


@cache
def _parts() -> tuple[list[Pair], list[Pair]]:
    return halves(bundled_parts()[1])


def label_verified_origin(language: str, program: str, part: str, seed: int) -> list[LabelledPair]:
    """Some mutants of an origin that neither a rule nor the solver proves, with what it saw."""
    number = int(program.rpartition("/")[2])
    own = [
        pair
        for pair in _parts()[part == "test"]
        if (pair.language, pair.class_id) == (language, number)
    ]
    rows: list[LabelledPair] = []
    for label in (0, 1):
        mutants = [pair for pair in own if pair.label == label]
        mutants.sort(key=lambda pair: draw(pair.id, seed))
        rows += filter(None, (_row(pair, part) for pair in mutants[:MOST_OF_A_LABEL]))
    return rows


def _row(pair: Pair, part: str) -> LabelledPair | None:
    from equimut.proofs.smt.proving import compare

    if prove(pair.origin, pair.mutant, pair.language) is not None:
        return None
    found = compare(pair.origin, pair.mutant, pair.language)
    if found.proof is not None:
        return None
    values = pair.model_dump(include=set(Pair.model_fields)) | {"split": part}
    return LabelledPair(
        **values,
        evidence="verified",
        weight=1.0,
        project=f"benchmark {pair.language} {pair.class_id}",
        view=found.view,
    )
