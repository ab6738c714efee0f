"""Tests written for mutants of real Java code: what share can be run, is killed, gets a test.

python benchmarks/tests_java.py NAME=DIRECTORY ... [--mutants 300] [--per-file 20] [--copied]
    [--inputs 400] [--seed 1] [--out FILE]

All mutants (default operators of Major and PIT) count as survivors; files are drawn at random, and
those that do not compile with the sources around them or `--classpath` are left out and counted.
`--copied` puts each file into a package of its own first: classes of the platform cannot be changed
in theirs.
The tests are then compiled and run three times more, on the origin and on every mutant they name.
Counts only; nothing of the sources is written.
"""

import argparse
import json
import random
import re
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from equimut.errors import EquimutError
from equimut.mutation import mutate
from equimut.oracle.java.launching import JavaRun, find_framework
from equimut.oracle.java.project import PACKAGE, judge_file
from equimut.oracle.java.suggesting import TOGETHER, outcome_of, run_round
from equimut.oracle.project import FileAnswer, FileMutant, project_at
from equimut.oracle.verdicts import OracleSettings
from prover_wild import OPERATORS, by_default, prepared

MOST_BYTES = 80_000
LEAST_MUTANTS = 8
ROUNDS = 3


def mutants_of(text: str, count: int, chance: random.Random) -> list[FileMutant]:
    """So many mutants of one file."""
    found = [m for m in mutate(text, "java", operators=OPERATORS) if by_default(m)]
    if len(found) < LEAST_MUTANTS:
        return []
    return [
        FileMutant(
            start=each.start_byte,
            end=each.start_byte + len(each.original.encode()),
            replacement=each.replacement,
            function=each.origin_function,
        )
        for each in chance.sample(found, min(len(found), count))
    ]


def again(run: JavaRun, text: str, mutants: list[FileMutant], answer: FileAnswer) -> Counter[str]:
    """The tests that were written, once more three times."""
    tests, counts = answer.tests, Counter[str]()
    runs = [(TOGETHER, [test.name for test in tests])]
    runs += [
        (number + 1, [test.name for test in tests if number in test.kills])
        for number in sorted({number for test in tests for number in test.kills})
    ]
    for _ in range(ROUNDS if tests else 0):
        lines = run_round(run, text, mutants, tests, find_framework(run.project), runs, ())
        counts["uncompiled"] += sum(line["result"] == "uncompiled" for line in lines)
        rows = {line["run"]: line for line in lines if line["result"] == "run"}
        for test in tests:
            counts["failed on origin"] += outcome_of(rows, TOGETHER, test.name) != "passed"
            for number in test.kills:
                counts["passed on mutant"] += outcome_of(rows, number + 1, test.name) != "failed"
                counts["runs on mutants"] += 1
    return counts


def measured(name: str, folder: Path, options: argparse.Namespace, scratch: Path) -> dict[str, Any]:
    """The counts of one source tree."""
    chance = random.Random(options.seed)
    files = sorted(p for p in folder.rglob("*.java") if p.stat().st_size < MOST_BYTES)
    files = [path for path in files if not options.only or re.search(options.only, str(path))]
    chance.shuffle(files)
    counts, reasons, classes = Counter[str](), Counter[str](), []
    settings = OracleSettings(inputs=options.inputs)
    for path in files:
        left = options.mutants - counts["mutants"]
        if left <= 0:
            break
        try:
            place, text, _ = prepared(path, options.copied, scratch)
            mutants = mutants_of(text, min(left, options.per_file), chance)
        except (EquimutError, UnicodeDecodeError, AssertionError):
            continue
        if not mutants:
            continue
        package = PACKAGE.search(text)
        root = scratch if options.copied else folder
        run = JavaRun(
            place, package[1] if package else "", project_at(root, classpath=options.classpath)
        )
        start = time.monotonic()
        answer = judge_file(run.project, place, text, mutants, settings)
        if answer.verdicts[0].reason.startswith("its file cannot be"):
            counts["files left out"] += 1
            continue
        stillborn = sum(verdict.fault == "mutant" for verdict in answer.verdicts)
        run_ = [v for v in answer.verdicts if v.tier != "unknown"]
        rest = [v.reason.partition(":")[0] for v in answer.verdicts if v.tier == "unknown"]
        found = {
            "class": path.stem, "mutants": len(mutants), "do not compile": stillborn,
            "run": len(run_), "killed": sum(v.tier == "killed" for v in run_),
            "with a test": sum(len(test.kills) for test in answer.tests),
            "tests": len(answer.tests), "dropped": answer.dropped,
        }  # fmt: skip
        more = again(run, text, mutants, answer)
        counts.update({key: value for key, value in found.items() if key != "class"})
        counts.update(more)
        counts["files"] += 1
        reasons.update(rest)
        classes.append({**found, **more})
        print(json.dumps({**found, **more, "seconds": round(time.monotonic() - start)}), flush=True)
        known = {"source": name, "seed": options.seed, "inputs": options.inputs}
        result = {**known, **counts, "reasons": dict(reasons), "classes": classes}
        if options.out:
            options.out.write_text(json.dumps(result, indent=1) + "\n")
    return {"source": name, **counts, "reasons": dict(reasons.most_common())}


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("sources", nargs="+", metavar="NAME=DIRECTORY")
    parser.add_argument("--mutants", type=int, default=300)
    parser.add_argument("--per-file", type=int, default=20)
    parser.add_argument("--inputs", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="files like this regular expression")
    parser.add_argument("--copied", action="store_true")
    parser.add_argument("--classpath", default="")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    for source in options.sources:
        name, _, folder = source.partition("=")
        with tempfile.TemporaryDirectory() as scratch:
            print(json.dumps(measured(name, Path(folder), options, Path(scratch))), flush=True)


if __name__ == "__main__":
    main()
