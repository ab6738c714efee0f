"""A part of the bundled benchmark small enough to train on in a test."""

from collections import defaultdict
from functools import cache

from equimut.data.pairs import load_pairs
from equimut.records import Pair


@cache
def small_pairs(
    language: str = "java", origins: int = 12, equivalent: int = 4, others: int = 8
) -> tuple[Pair, ...]:
    """The first mutants of both labels of the first origins that have enough of them."""
    by_class: defaultdict[int, tuple[list[Pair], list[Pair]]] = defaultdict(lambda: ([], []))
    for pair in load_pairs(f"bundled:{language}"):
        by_class[pair.class_id][pair.label].append(pair)
    chosen: list[Pair] = []
    for class_id in sorted(by_class):
        no, yes = by_class[class_id]
        if (
            len(yes) >= equivalent
            and len(no) >= others
            and len(chosen) < origins * (equivalent + others)
        ):
            chosen += yes[:equivalent] + no[:others]
    return tuple(chosen)
