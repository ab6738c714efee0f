"""Which mutants a person is asked about."""

from collections.abc import Iterable

from equimut.scanning.records import OPEN, ScanVerdict


def questions(verdicts: Iterable[ScanVerdict], *, again: bool = False) -> list[ScanVerdict]:
    """Survivors that nobody has decided on, the most probably equivalent first, each key once.

    `again`: also those that were rejected.
    """
    waiting: dict[str, ScanVerdict] = {}
    for verdict in verdicts:
        if verdict.mutant.status not in OPEN or verdict.key is None:
            continue
        if verdict.tier in ("accepted", "proved") or (verdict.tier == "rejected" and not again):
            continue
        waiting.setdefault(verdict.key.full, verdict)
    return sorted(waiting.values(), key=_order)


def _order(verdict: ScanVerdict) -> tuple[float, int]:
    if verdict.tier == "unrefuted":
        likely = 2.0
    elif verdict.tier in ("killed", "rejected"):
        likely = -1.0
    else:
        likely = 0.5 if verdict.probability is None else verdict.probability
    return -likely, verdict.mutant.index
