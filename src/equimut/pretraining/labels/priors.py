"""How often a mutant that nothing proved is killed after all, by operator.

Measured on the verified benchmark, whose labels rest on runs, each time it is asked: a table in
the code would go out of date. Few mutants of an operator lean towards the rate of all of them.
"""

from collections import Counter
from collections.abc import Mapping
from functools import cache

from equimut.data.benchmark.reader import bundled

PSEUDO_COUNT = 10


@cache
def killed_shares(language: str) -> Mapping[str, float]:
    """Operator -> share of killed mutants among those whose compiled code differs."""
    killed: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    for pair in bundled(language):
        if pair.evidence.proof is None:
            tried[pair.operators[0]] += 1
            killed[pair.operators[0]] += pair.label == 0
    overall = killed.total() / tried.total()
    shares = {
        name: (killed[name] + PSEUDO_COUNT * overall) / (tried[name] + PSEUDO_COUNT)
        for name in tried
    }
    return {"": overall, **shares}


def killed_share(language: str, operator: str) -> float:
    """The share of one operator; of all of them for one that the benchmark does not have."""
    shares = killed_shares(language)
    return shares.get(operator, shares[""])
