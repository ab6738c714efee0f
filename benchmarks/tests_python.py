"""Tests that a scan suggested for a Python library, run again: on its code and on every mutant.

python benchmarks/tests_python.py PROJECT SCAN TESTS [--path src] [--rounds 3] [--sample 30]
    [--seed 21] [--out FILE]

SCAN is what `equimut scan PROJECT --oracle --tests TESTS --json` wrote. Every test is run on the
code and, as the one test of a process, on each mutant that it is to kill, in rounds with other hash
seeds. Prints counts, and survivors drawn at random for somebody to read: line and change only.
The interpreter that runs this needs pytest and what the library needs; nothing of equimut.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

OPTIONS = ("-q", "-x", "-p", "no:cacheprovider", "-p", "no:warnings")
SECONDS = 120
FAILED = 1
"""What pytest ends with when a test fails; anything else is no verdict."""


def run(folder: Path, test: Path, path: str, seed: int) -> int:
    """What pytest says of one file of tests, on the library in `folder`."""
    command = [sys.executable, "-B", "-m", "pytest", *OPTIONS, "--rootdir", folder, test]
    variables = {
        **os.environ, "PYTHONPATH": str(folder / path), "PYTHONHASHSEED": str(seed),
    }  # fmt: skip
    try:
        done = subprocess.run(
            command, cwd=folder, env=variables, capture_output=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return FAILED  # an endless mutant is seen as a failure by every tool
    return done.returncode


def one_round(
    folder: Path, rows: list[dict[str, Any]], tests: Path, path: str, seed: int
) -> dict[str, int]:
    """Every test on the code, and on each mutant that it is to kill."""
    counts = {"failed on origin": 0, "passed on mutant": 0, "runs on mutants": 0}
    for file in sorted(tests.glob("test_*_survivors.py")):
        copy = Path(shutil.copy(file, folder / file.name))
        counts["failed on origin"] += run(folder, copy, path, seed) != 0
        copy.unlink()
    alone = folder / "test_alone.py"
    for text in dict.fromkeys(row["test"] for row in rows):
        alone.write_text(text, encoding="utf-8")
        counts["failed on origin"] += run(folder, alone, path, seed) != 0
        for row in (row for row in rows if row["test"] == text):
            file, change = folder / row["file"], row["change"]
            before = file.read_bytes()
            start, end = change["start_byte"], change["end_byte"]
            file.write_bytes(before[:start] + change["replacement"].encode() + before[end:])
            counts["passed on mutant"] += run(folder, alone, path, seed) != FAILED
            counts["runs on mutants"] += 1
            file.write_bytes(before)
    return counts


def drawn(rows: list[dict[str, Any]], count: int, seed: int) -> list[dict[str, Any]]:
    """Survivors to read, in the order of the file."""
    rows = sorted(rows, key=lambda row: row["id"])
    chosen = random.Random(seed).sample(rows, min(count, len(rows)))
    return [
        {
            "file": row["file"], "line": row["line"], "change": row["identity"]["change"][:80],
            "test": bool(row["test"]),
        }
        for row in sorted(chosen, key=lambda row: (row["file"], row["line"], row["id"]))
    ]  # fmt: skip


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("project", type=Path)
    parser.add_argument("scan", type=Path)
    parser.add_argument("tests", type=Path)
    parser.add_argument("--path", default="", help="from the project, where imports begin")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sample", type=int, default=30)
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    scan = json.loads(options.scan.read_text(encoding="utf-8"))
    tested = [row for row in scan["mutants"] if row["test"]]
    result: dict[str, Any] = {
        "survivors": len(scan["mutants"]), "oracle": scan["oracle"], "with a test": len(tested),
    }  # fmt: skip
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "project"
        skipped = shutil.ignore_patterns("mutants", ".git", "__pycache__", "tests")
        shutil.copytree(options.project, folder, ignore=skipped)
        for seed in range(1, options.rounds + 1):
            result[f"round {seed}"] = one_round(folder, tested, options.tests, options.path, seed)
            print(json.dumps(result[f"round {seed}"]), flush=True)
    result["sample"] = drawn(scan["mutants"], options.sample, options.seed)
    print(json.dumps({key: value for key, value in result.items() if key != "sample"}))
    if options.out:
        options.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
