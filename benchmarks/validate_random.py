"""Mutants of random functions through the prover: what is proved is run, and nothing may differ.

python benchmarks/validate_random.py STORE [--jobs N] [--language L] [--functions 700]
                    [--per-function 10] [--report-only] [--out FILE]

The functions are those of `tests/proofs/test_random_functions.py`, each with its number as the
seed; `make test-full` asks about the same ones. Answers are kept as JSON lines in the folder STORE,
one file for each version of the prover, and a run that was ended goes on where it stopped. A
proved mutant that a run tells apart is a bug: it is printed, and the exit code is 1.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from validate_prover import LANGUAGES, stored

BATCH = 20
"""Functions of one compilation."""
Work = tuple[str, int, int, int]
"""Language, first function, the one after the last, mutants of each."""
COUNTED = ("mutants", "proved", "judged")


def measured(work: Work) -> dict[str, Any]:
    """In a worker: what was proved of one batch, and what its runs say."""
    from oracles.random_functions.judging import by_prover, judge

    language, first, end, per_function = work
    with tempfile.TemporaryDirectory() as folder:
        tally = judge(language, by_prover, range(first, end), per_function, Path(folder))
    counts = {name: getattr(tally, name) for name in COUNTED}
    return {"work": list(work), "language": language, **counts, "wrong": tally.wrong}


def run(store: Path, missing: list[Work], jobs: int) -> None:
    """Ask about all batches, and keep the answers as they come."""
    import validate_random  # workers import it by this name
    from equimut.proofs.proving import MEGABYTES
    from equimut.storage.worker_pool import Lost, WorkerLimits, answers

    limits = WorkerLimits(1_800, MEGABYTES, 3_600)
    with store.open("a") as file:
        for work, found in zip(
            missing, answers(validate_random.measured, missing, jobs, limits), strict=True
        ):
            if isinstance(found, Lost):
                print(f"lost {work}: {found.reason}")
                continue
            file.write(json.dumps(found) + "\n")
            file.flush()
            print(f"{work}: {found['mutants']} mutants, {len(found['wrong'])} wrong", flush=True)


def report(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Sums by language."""
    found: dict[str, Any] = {}
    for language in LANGUAGES:
        mine = [row for row in rows if row["language"] == language]
        sums = {name: sum(row[name] for row in mine) for name in COUNTED}
        found[language] = {**sums, "wrong": [text for row in mine for text in row["wrong"]]}
    return found


def main() -> int:
    """Measure what is missing, print and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("store", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--language", choices=LANGUAGES, action="append", help="again for more")
    parser.add_argument("--functions", type=int, default=700)
    parser.add_argument("--per-function", type=int, default=10)
    parser.add_argument("--report-only", action="store_true")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    from equimut.proofs.proving import prover_version

    version = prover_version()
    options.store.mkdir(parents=True, exist_ok=True)
    store = options.store / f"{version}-random.jsonl"
    if not options.report_only:
        known = {tuple(row["work"]) for row in stored(store)}
        every = [
            (language, first, min(first + BATCH, options.functions), options.per_function)
            for language in options.language or LANGUAGES
            for first in range(0, options.functions, BATCH)
        ]
        Random(0).shuffle(every)  # what is there at any time is a sample
        run(store, [work for work in every if work not in known], options.jobs)
    found = {"prover": version, **report(list(stored(store)))}
    text = json.dumps(found, indent=1)
    if options.out:
        options.out.write_text(text + "\n")
    print(text)
    return 1 if any(found[name]["wrong"] for name in LANGUAGES) else 0


if __name__ == "__main__":
    sys.exit(main())
