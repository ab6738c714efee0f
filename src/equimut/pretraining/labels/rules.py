"""Labels from the text alone: rules that prove equivalence, and the odds where none does."""

import json
import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from equimut.data.benchmark.reader import bundled
from equimut.errors import EquimutError
from equimut.mutation import mutate
from equimut.pretraining.labels.records import LabelledPair, in_turn, kept_of_origin, pair_of
from equimut.proofs.proving import proving_rule
from equimut.proofs.rules.change import Change, find_change
from equimut.records import Mutant
from equimut.storage.files import read_text, write_bytes

OFTEN_PROVED = {"AOIS": 12, "ABSI": 8, "ROR": 8, "COR": 3, "AOIU": 4}
"""Operators that rules are mostly about, and how many of their mutants are looked at."""
OTHERS = 18
MOST_WITHOUT_PROOF = 3
"""Pairs kept of a function of which nothing is proved: there are many such functions."""
LEAST_SHARE = 0.8
"""A mutant without a proof is called different only if such mutants mostly are."""
SAMPLE = 8
"""Every eighth pair of the benchmark tells the odds."""
PSEUDO_COUNT = 10


def label_function(
    text: str, language: str, program: str, seed: int, odds: Mapping[str, float]
) -> list[LabelledPair]:
    """Pairs of one function: proved ones, and those that are different by all odds."""
    try:
        mutants = chosen_mutants(mutate(text, language), seed)
    except EquimutError:
        return []
    rows = []
    for mutant in mutants:
        change = find_change(text, mutant.mutant_function, language)
        if change is None or mutant.origin_function.strip() != text.strip():
            continue
        rule = proving_rule(change)
        if rule is not None:
            rows.append(pair_of(mutant, language, program, 1, "fact", rule=rule.name))
            continue
        share = share_of(odds, mutant.operator, change)
        if share >= LEAST_SHARE:
            rows.append(pair_of(mutant, language, program, 0, "prior", weight=share))
    kept = kept_of_origin(rows, seed)
    return kept if any(row.label for row in kept) else kept[:MOST_WITHOUT_PROOF]


def chosen_mutants(mutants: list[Mutant], seed: int) -> list[Mutant]:
    """Enough of the operators that rules are about, and some of all others."""
    rest = [mutant for mutant in mutants if mutant.operator not in OFTEN_PROVED]
    chosen = in_turn(rest, OTHERS, seed)
    for operator, number in OFTEN_PROVED.items():
        own = [mutant for mutant in mutants if mutant.operator == operator]
        chosen += in_turn(own, number, seed)
    return chosen


def form_of(operator: str, change: Change) -> str:
    """The kind of an edit: `AOIS _++`, `ABSI -abs(_)`, `ROR < <=`; else the operator alone."""
    old, new = change.origin.text(change.before), change.mutant_tree.text(change.after)
    if len(old) > 2 * len(new) or "\n" in old:
        return operator
    if (around := re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", "_", new)) != new:
        return f"{operator} {''.join(around.split())}"[:30]
    binary, other = change.origin.binary(change.before), change.mutant.binary(change.after)
    if binary is not None and other is not None:
        return f"{operator} {binary.spelling} {other.spelling}"
    return operator


def share_of(odds: Mapping[str, float], operator: str, change: Change) -> float:
    """How likely a mutant without a proof is killed: by the form of its edit, else its operator."""
    return odds.get(form_of(operator, change), odds.get(operator, odds[""]))


@cache
def killed_without_proof(language: str, directory: Path) -> Mapping[str, float]:
    """Operator or form of edit -> share killed among the benchmark's mutants without a proof.

    Measured once per directory: looking for proofs takes time.
    """
    path = directory / f"killed-without-proof-{language}.json"
    if path.exists():
        known: dict[str, float] = json.loads(read_text(path))
        return known
    killed: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    for pair in bundled(language)[::SAMPLE]:
        change = find_change(pair.origin, pair.mutant, language)
        if change is None or proving_rule(change) is not None:
            continue
        operator = pair.operators[0]
        for key in {"", operator, form_of(operator, change)}:
            tried[key] += 1
            killed[key] += pair.label == 0
    shares = {key: _leaning(killed, tried, key) for key in tried}
    write_bytes(path, json.dumps(shares, indent=1, sort_keys=True).encode())
    return shares


def _leaning(killed: Counter[str], tried: Counter[str], key: str) -> float:
    """A share that leans towards that of the operator, and that towards the share of all."""
    operator = key.partition(" ")[0]
    around = killed[""] / tried[""] if key == operator else _leaning(killed, tried, operator)
    return (killed[key] + PSEUDO_COUNT * around) / (tried[key] + PSEUDO_COUNT)
