"""The prover on the verified benchmark: what it proves, what each ingredient gives, what it costs.

python benchmarks/prover.py java [--equivalent N] [--killed N] [--ablations] [--out FILE]

Rows are drawn evenly over the origins. A killed row that is proved is a bug: the exit code is 1.
Ingredients are switched off one at a time, on the rows that the solver proves with all of them.
Times are processor seconds of the solver's prover alone, without the rules.
"""

import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from statistics import quantiles
from typing import Any

from equimut.data.benchmark.reader import bundled
from equimut.data.store import VerifiedPair
from equimut.proofs.proving import prove as prove_by_rule
from equimut.proofs.smt.proving import prove
from equimut.proofs.smt.symbolic.engine import INGREDIENTS


def drawn(rows: Sequence[VerifiedPair], count: int | None) -> list[VerifiedPair]:
    """So many rows, in order, evenly over the file."""
    if count is None or count >= len(rows):
        return list(rows)
    return [rows[place * len(rows) // count] for place in range(count)]


def measure(rows: Sequence[VerifiedPair], *, progress: bool = True) -> list[dict[str, Any]]:
    """For each row: proved by which rule or in which scope, on what grounds, in which time."""
    found = []
    for number, row in enumerate(rows):
        rule = prove_by_rule(row.origin, row.mutant, row.language)
        begin = time.process_time()
        proof = prove(row.origin, row.mutant, row.language)
        seconds = time.process_time() - begin
        found.append(
            {
                "id": row.id,
                "operator": row.operators[0] if row.operators else "",
                "rule": rule.name if rule else None,
                "scope": proof.scope if proof else None,
                "facts": [*proof.facts, *proof.assumptions] if proof else [],
                "seconds": seconds,
            }
        )
        if progress and number % 100 == 99:
            print(f"{number + 1} of {len(rows)}", file=sys.stderr, flush=True)
    return found


def reach(answers: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """How many were proved, by rules alone, by the solver alone, and by either."""
    return {
        "rows": len(answers),
        "rules": sum(1 for each in answers if each["rule"]),
        "solver": sum(1 for each in answers if each["scope"]),
        "either": sum(1 for each in answers if each["rule"] or each["scope"]),
    }


def ablations(rows: Sequence[VerifiedPair]) -> dict[str, int]:
    """For each ingredient, how many of these proofs are lost without it."""
    lost = {}
    for name in INGREDIENTS:
        off = frozenset({name})
        kept = sum(
            prove(row.origin, row.mutant, row.language, without=off) is not None for row in rows
        )
        lost[name] = len(rows) - kept
    return lost


def times(answers: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Seconds per mutant."""
    spent = [each["seconds"] for each in answers]
    cuts = quantiles(spent, n=100)
    return {"median": cuts[49], "p95": cuts[94], "p99": cuts[98], "most": max(spent)}


def main() -> int:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("language")
    parser.add_argument("--equivalent", type=int)
    parser.add_argument("--killed", type=int, default=2_000)
    parser.add_argument("--ablations", action="store_true")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--missed", type=Path, help="ids of equivalent rows without a proof")
    options = parser.parse_args()
    rows = bundled(options.language)
    equivalent = drawn([row for row in rows if row.label == 1], options.equivalent)
    killed = drawn([row for row in rows if row.label == 0], options.killed)
    answers, wrong = measure(equivalent), measure(killed)
    operators: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for answer in answers:
        operators[answer["operator"]].append(answer)
    report = {
        "language": options.language,
        "equivalent": reach(answers),
        "killed": reach(wrong),
        "wrong": [each["id"] for each in wrong if each["rule"] or each["scope"]],
        "operators": {name: reach(each) for name, each in sorted(operators.items())},
        "scopes": dict(Counter(each["scope"] for each in answers if each["scope"])),
        "seconds": times([*answers, *wrong]),
    }
    if options.ablations:
        solved = {each["id"] for each in answers if each["scope"]}
        report["lost without"] = ablations([row for row in equivalent if row.id in solved])
    if options.missed:
        ids = [each["id"] for each in answers if not each["rule"] and not each["scope"]]
        options.missed.write_text("\n".join(ids))
    text = json.dumps(report, indent=1)
    if options.out:
        options.out.write_text(text + "\n")
    print(text)
    return 1 if report["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
