"""Tests written for mutants of real C code: what share can be run, is killed, gets a test.

python benchmarks/tests_c.py NAME=FILE ... [--mutants 60] [--inputs 400] [--seed 1] [-I DIR]
    [--out FILE]

Mutants of the default operators of Major and PIT, drawn at random from each file, all count as
survivors. The tests are then compiled and run three times more, on the origin and on every mutant
they name. Counts only; nothing of the sources is written.
"""

import argparse
import json
import random
import time
from collections import Counter
from pathlib import Path
from typing import Any

from equimut.mutation import mutate
from equimut.oracle.c.building import Workshop
from equimut.oracle.c.project import judge_file
from equimut.oracle.c.suggesting import KINDS, run_tests, suggested_file
from equimut.oracle.project import FileAnswer, FileMutant, project_at
from equimut.oracle.sandbox.process import work_directory
from equimut.oracle.verdicts import OracleSettings
from prover_wild import OPERATORS, by_default

ROUNDS = (KINDS[0], KINDS[1], KINDS[0])


def mutants_of(text: str, count: int, chance: random.Random) -> list[FileMutant]:
    """So many mutants of one file."""
    found = [m for m in mutate(text, "c", operators=OPERATORS) if by_default(m)]
    return [
        FileMutant(
            start=each.start_byte,
            end=each.start_byte + len(each.original.encode()),
            replacement=each.replacement,
            function=each.origin_function,
        )
        for each in chance.sample(found, min(len(found), count))
    ]


def again(shop: Workshop, text: str, mutants: list[FileMutant], answer: FileAnswer) -> Counter[str]:
    """The tests that were written, once more three times."""
    counts = Counter[str]({"failed on origin": 0, "passed on mutant": 0, "runs on mutants": 0})
    for kind in ROUNDS if answer.tests else ():
        outcomes = run_tests(shop, text, answer.tests, kind)
        counts["failed on origin"] += sum(not outcomes.get(test.name) for test in answer.tests)
        for number in sorted({number for test in answer.tests for number in test.kills}):
            asked = [test for test in answer.tests if number in test.kills]
            outcomes = run_tests(shop, mutants[number].applied_to(text), asked, kind)
            counts["passed on mutant"] += sum(outcomes.get(t.name) is not False for t in asked)
            counts["runs on mutants"] += len(asked)
    return counts


def measured(name: str, path: Path, options: argparse.Namespace) -> dict[str, Any]:
    """The counts of one file."""
    text = path.read_text("utf-8")
    mutants = mutants_of(text, options.mutants, random.Random(options.seed))
    project = project_at(path.parent, includes=options.include)
    begin, cpu = time.monotonic(), time.process_time()
    answer = judge_file(project, path, text, mutants, OracleSettings(inputs=options.inputs))
    verdicts = answer.verdicts
    reasons = Counter(v.reason.partition(":")[0] for v in verdicts if v.tier == "unknown")
    with work_directory() as directory:
        more = again(Workshop(project, path, directory), text, mutants, answer)
    if options.show and answer.tests:
        print(suggested_file(path.name, answer.tests)[1])
        for mutant, verdict in zip(mutants, verdicts, strict=True):
            line = text.encode()[: mutant.start].count(b"\n") + 1
            before = text.encode()[mutant.start : mutant.end].decode()
            call = verdict.witness.call if verdict.witness else ""
            print(line, before, "->", mutant.replacement, verdict.tier, verdict.reason, call)
    return {
        "source": name, "seed": options.seed, "inputs": options.inputs, "mutants": len(mutants),
        "do not compile": sum(verdict.fault == "mutant" for verdict in verdicts),
        "run": sum(verdict.tier != "unknown" for verdict in verdicts),
        "killed": sum(verdict.tier == "killed" for verdict in verdicts),
        "with a test": len({number for test in answer.tests for number in test.kills}),
        "tests": len(answer.tests), "dropped": answer.dropped, **more,
        "reasons": dict(reasons.most_common()),
        "seconds": round(time.monotonic() - begin), "own seconds": round(time.process_time() - cpu),
    }  # fmt: skip


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="+", metavar="NAME=FILE")
    parser.add_argument("--mutants", type=int, default=60)
    parser.add_argument("--inputs", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-I", dest="include", type=Path, action="append", default=[])
    parser.add_argument("--show", action="store_true", help="the tests, too")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    rows = []
    for source in options.files:
        name, _, path = source.partition("=")
        rows.append(measured(name, Path(path).resolve(), options))
        print(json.dumps(rows[-1]), flush=True)
        if options.out:
            options.out.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
