"""Every row of the verified benchmark through rules and prover: no killed row may be proved.

python benchmarks/validate_prover.py STORE [--jobs N] [--language L] [--label 0|1] [--every N]
                    [--solver-only | --ablations] [--labels DIR] [--report-only]
                    [--out results/prover.json]

Answers are kept as JSON lines in the folder STORE, one file for each version of the prover, and a
run that was ended goes on where it stopped. Rows are shared between processes in groups of one
origin, in an order that is random but always the same, so that what is there at any time is a
sample. `--solver-only`: mutants that a run refutes are asked about, too; that is how unsound proofs
that a run would hide are found. `--ablations`: what is proved is asked again without each
ingredient. `--labels DIR`: what the oracle killed among the mutants that `equimut dev labels build
--java-source` made, in place of the benchmark. A killed row that is proved is a bug: the exit code
is 1. Times are processor seconds of one mutant.
"""

import argparse
import json
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path
from statistics import fmean, quantiles
from typing import Any

LANGUAGES = ("java", "c", "python")
GROUP = 20
"""Rows of one origin that a worker is given at a time."""
ASKED = 8
"""How often the solver is asked about a row at the most, for the worker's last limit."""
Row = dict[str, Any]


@cache
def rows_of(language: str, labels: Path | None = None) -> tuple[Any, ...]:
    """The rows of a language: of the benchmark, or those of other labels that the oracle killed."""
    if labels is None:
        from equimut.data.benchmark.reader import bundled

        return tuple(bundled(language))
    from equimut.pretraining.labels.store import read_labels

    killed = [row for row in read_labels(labels) if row.evidence == "killed"]
    return tuple(row for row in killed if row.language == language)


def measured(group: tuple[str, tuple[str, ...], str, Path | None]) -> list[Row]:
    """In a worker: what rules and prover say of these rows."""
    from equimut.proofs.proving import prove
    from equimut.proofs.smt.proving import CHOSEN_STATES, compare

    language, ids, kind, labels = group
    wanted, found = set(ids), []
    without = frozenset({CHOSEN_STATES}) if kind == "solver-only" else frozenset()
    for row in (each for each in rows_of(language, labels) if each.id in wanted):
        begin = time.process_time()
        rule = prove(row.origin, row.mutant, language)
        between = time.process_time()
        answer = compare(row.origin, row.mutant, language, without=without)
        end = time.process_time()
        proof, view = answer.proof, answer.view
        found.append({
            "id": row.id, "language": language, "label": row.label,
            "operator": row.operators[0] if row.operators else "",
            "rule": rule.name if rule else None, "scope": proof.scope if proof else None,
            "facts": proof.facts if proof else (), "assumed": proof.assumptions if proof else (),
            "answer": view.answer if view else None, "refuted": bool(answer.state) and not (
                view.tried if view else 0),
            "rules seconds": round(between - begin, 5), "seconds": round(end - between, 5),
        })  # fmt: skip
        if proof is not None and kind == "ablations":
            found[-1]["lost without"] = lost_without(row)
    return found


def lost_without(row: Any) -> list[str]:
    """The ingredients without which the solver has no proof of this row."""
    from equimut.proofs.smt.proving import prove
    from equimut.proofs.smt.symbolic.engine import INGREDIENTS

    texts = row.origin, row.mutant, row.language
    return [name for name in INGREDIENTS if prove(*texts, without=frozenset({name})) is None]


def groups(rows: Sequence[Any], known: set[str], *further: object) -> list[tuple[Any, ...]]:
    """Rows that are not known yet, some of one origin at a time, in a fixed random order."""
    origins: dict[str, list[Any]] = defaultdict(list)
    for row in rows:
        origins[row.origin].append(row)
    found = []
    for mine in origins.values():
        for at in range(0, len(mine), GROUP):
            ids = tuple(row.id for row in mine[at : at + GROUP] if row.id not in known)
            if ids:
                found.append((mine[0].language, ids, *further))
    return sorted(found, key=lambda group: blake2b(group[1][0].encode()).digest())


def stored(path: Path) -> Iterator[Row]:
    """Answers that were kept; a line that was cut off is left out."""
    if path.exists():
        for line in path.read_text().splitlines():
            if line.endswith("}"):
                yield json.loads(line)


def run(store: Path, work: list[tuple[Any, ...]], jobs: int) -> None:
    """Ask about all groups, and keep the answers as they come."""
    import validate_prover  # workers import it by this name
    from equimut.proofs.budget import DEFAULT
    from equimut.proofs.proving import MEGABYTES, PATIENCE
    from equimut.storage.worker_pool import Lost, WorkerLimits, answers

    seconds = GROUP * DEFAULT.seconds * ASKED
    limits = WorkerLimits(seconds, MEGABYTES, PATIENCE * seconds)
    done = 0
    with store.open("a") as file:
        for group, found in zip(
            work, answers(validate_prover.measured, work, jobs, limits), strict=True
        ):
            if isinstance(found, Lost):
                print(f"lost {group[1][0]} and {len(group[1]) - 1} more: {found.reason}")
                continue
            for row in found:
                file.write(json.dumps(row) + "\n")
            file.flush()
            done += len(found)
            if done % 1_000 < GROUP:
                print(f"{done} rows", file=sys.stderr, flush=True)


def report(rows: Iterable[Row]) -> dict[str, Any]:
    """What was proved of killed and equivalent rows, on what grounds, at what cost."""
    found: dict[str, Any] = {}
    every = list(rows)
    for language in LANGUAGES:
        mine = [row for row in every if row["language"] == language]
        killed = [row for row in mine if row["label"] == 0]
        equivalent = [row for row in mine if row["label"] == 1]
        proved = [row for row in equivalent if row["scope"]]
        found[language] = {
            "killed": {
                "rows": len(killed),
                "wrong": [row["id"] for row in killed if row["rule"] or row["scope"]],
                "refuted by a run": sum(1 for row in killed if row["refuted"]),
                "seconds": times(killed),
            },
            "equivalent": {**reach(equivalent), "seconds": times(equivalent)},
            "operators": {
                name: reach([row for row in equivalent if row["operator"] == name])
                for name in sorted({row["operator"] for row in equivalent})
            },
            "scopes": dict(Counter(row["scope"] for row in proved).most_common()),
            "grounds": dict(
                Counter(fact for row in proved for fact in grounds(row)).most_common(25)
            ),
            "seconds": times(mine),
        }
        asked = [row for row in proved if "lost without" in row]
        if asked:
            found[language]["lost without"] = {
                "proofs": len(asked),
                **Counter(name for row in asked for name in row["lost without"]),
            }
    return found


def reach(rows: Sequence[Row]) -> dict[str, int]:
    """Proved by rules alone, by the solver alone, and by either."""
    return {
        "rows": len(rows),
        "rules": sum(1 for row in rows if row["rule"]),
        "solver": sum(1 for row in rows if row["scope"]),
        "either": sum(1 for row in rows if row["rule"] or row["scope"]),
    }


def grounds(row: Row) -> set[str]:
    """The reasons of a proof, with names and numbers left out."""
    return {
        re.sub(r"'[^']*'|-?\b\d+\b", "_", re.sub(r"`[^`]*`", "`_`", words))
        for words in (*row["facts"], *row["assumed"])
    }


def times(rows: Sequence[Row]) -> dict[str, float]:
    """Processor seconds of one mutant, rules and prover together."""
    spent = [row["seconds"] + row["rules seconds"] for row in rows]
    if len(spent) < 2:
        return {}
    cuts = quantiles(spent, n=100)
    values = {"median": cuts[49], "p95": cuts[94], "mean": fmean(spent), "most": max(spent)}
    return {name: round(value, 4) for name, value in values.items()}


def main() -> int:
    """Measure what is missing, print and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("store", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--language", choices=LANGUAGES, action="append", help="again for more")
    parser.add_argument("--label", type=int, choices=(0, 1))
    parser.add_argument("--every", type=int, default=1, help="only every Nth row of each language")
    parser.add_argument("--solver-only", action="store_true")
    parser.add_argument("--ablations", action="store_true")
    parser.add_argument("--labels", type=Path)
    parser.add_argument("--report-only", action="store_true")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    from equimut.proofs.proving import prover_version

    version = prover_version()
    options.store.mkdir(parents=True, exist_ok=True)
    kind = "solver-only" if options.solver_only else "default"
    kind = "ablations" if options.ablations else kind
    mode = f"{kind}-labels" if options.labels else kind
    store = options.store / f"{version}-{mode}.jsonl"
    if not options.report_only:
        rows = [
            row
            for name in options.language or LANGUAGES
            for row in rows_of(name, options.labels)[:: options.every]
        ]
        rows = [row for row in rows if options.label in (None, row.label)]
        known = {row["id"] for row in stored(store)}
        run(store, groups(rows, known, kind, options.labels), options.jobs)
    found = {"prover": version, "mode": mode, **report(stored(store))}
    text = json.dumps(found, indent=1)
    if options.out:
        options.out.write_text(text + "\n")
    print(text)
    return 1 if any(found[name]["killed"]["wrong"] for name in LANGUAGES) else 0


if __name__ == "__main__":
    sys.exit(main())
