"""The prover on mutants of real Java code: what share it proves, and which proofs to read.

python benchmarks/prover_wild.py NAME=DIRECTORY ... [--mutants 2000] [--seed 1] [--out FILE]
    [--run] [--copied NAME ...] [--inputs 400] [--likely] [--ablations]

Mutants of the default operators of Major and PIT, drawn at random over all functions of the `.java`
files below the directories (the same number from each), proved with the whole file in sight, and
the constants of other files below the directory. Those are looked up once for a file, which is not
part of a mutant's time. Per mutant the output has class, method, line and the change, never more of
the source.
`--run` puts the proofs to the test: origin and mutant are run side by side where their file
compiles (`--copied`: in a package of its own, for classes of the platform). A proved mutant that is
killed is a bug, or needs an assumption that the run breaks: the exit code is 1.
`--likely` draws from fewer: comparisons and connectives that are next to the original, deleted
assignments and jumps, in functions of ordinary length. It is for reading proofs, not for a share.
`--ablations`: what is proved is asked again without each ingredient, and without other files.
"""

import argparse
import json
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from pathlib import Path
from statistics import quantiles
from typing import Any

from equimut.errors import EquimutError
from equimut.mutation import mutate
from equimut.oracle.java.project import PACKAGE, judge_file
from equimut.oracle.project import FileMutant, project_at
from equimut.oracle.verdicts import OracleSettings
from equimut.proofs.proving import constants_of_others
from equimut.proofs.proving import prove as prove_by_rule
from equimut.proofs.smt.explaining import changed_texts, sentence
from equimut.proofs.smt.proving import prove
from equimut.proofs.smt.symbolic.engine import INGREDIENTS
from equimut.records import Mutant
from equimut.reports.sources import SourceTree

OPERATORS = (
    "ROR", "AORB", "COR", "LOR", "SOR", "SAR", "AORS", "AODU", "COD", "LVR", "EVR", "RVR", "FCDL",
    "ADL", "OSDL",
)  # fmt: skip
"""What Major and PIT do by default, in our names."""
COMPARISONS = {
    "<": ("<=", "!=", ">=", "false"), "<=": ("<", "==", ">", "true"),
    ">": (">=", "!=", "<=", "false"), ">=": (">", "==", "<", "true"),
    "==": ("<=", ">=", "!=", "false"), "!=": ("<", ">", "==", "true"),
}  # fmt: skip
"""What either of them replaces a comparison by: our own operator does more."""
NEIGHBOURS = {
    "<": ("!=",), ">": ("!=",), "<=": ("==",), ">=": ("==",),
    "==": ("<=", ">="), "!=": ("<", ">"), "||": ("!=", "^"), "&&": ("==",),
}  # fmt: skip
"""What a comparison or a connective is often equivalent to."""
LIKELY_LENGTH = 2_500
MOST_BYTES = 150_000
PER_FILE = 4


def mutants(
    directory: Path, count: int, seed: int, wanted: Callable[[Mutant], bool]
) -> Iterator[dict[str, Any]]:
    """So many mutants of the files below a directory, at most a few of each file."""
    files = [path for path in sorted(directory.rglob("*.java")) if path.stat().st_size < MOST_BYTES]
    chance = random.Random(seed)
    chance.shuffle(files)
    left = count
    for path in files * 4:
        if not left:
            return
        try:
            source = path.read_text("utf-8")
            found = [m for m in mutate(source, "java", operators=OPERATORS) if wanted(m)]
            chosen = chance.sample(found, min(len(found), PER_FILE, left))
        except (EquimutError, UnicodeDecodeError):
            continue
        for mutant in chosen:
            left -= 1
            whole = source.encode()
            start = _start(whole, mutant.origin_function.encode(), mutant.start_byte)
            yield {
                "file": str(path.relative_to(directory)), "line": mutant.line,
                "operator": mutant.operator, "method": mutant.function, "source": source,
                "origin": mutant.origin_function, "mutant": mutant.mutant_function,
                "at": whole.count(b"\n", 0, start) + 1, "change": FileMutant(
                    start=mutant.start_byte, end=mutant.end_byte, replacement=mutant.replacement,
                    function=mutant.origin_function,
                ),
            }  # fmt: skip


def by_default(mutant: Mutant) -> bool:
    """Whether one of the two tools makes this mutant by default."""
    if mutant.operator != "ROR":
        return True
    signs = re.findall(r"[<>]=?|[=!]=", mutant.original)
    return bool(signs) and mutant.replacement in COMPARISONS.get(signs[0], ())


def likely(mutant: Mutant) -> bool:
    """Whether the change is one that often makes no difference, and the function not long."""
    if len(mutant.origin_function) > LIKELY_LENGTH:
        return False
    if mutant.operator in ("ADL", "OSDL"):
        return True
    if mutant.operator == "COR" and len(mutant.replacement) > len(mutant.original) > 2:
        return True  # the whole condition, with parentheses that the new connective needs
    return mutant.replacement in NEIGHBOURS.get(mutant.original, ())


def _start(source: bytes, function: bytes, inside: int) -> int:
    """Where the function that holds a byte begins."""
    start = source.find(function)
    while not start <= inside < start + len(function):
        start = source.find(function, start + 1)
    return start


def judged(row: dict[str, Any], others: str, *, ablations: bool = False) -> dict[str, Any]:
    """What is proved of one mutant, with constants of the other files in sight."""
    texts = row["origin"], row["mutant"], "java"
    rule = prove_by_rule(*texts, row["source"])
    begin = time.process_time()
    proof = prove(*texts, file=row["source"], line=row["at"], others=others)
    seconds = time.process_time() - begin
    before, after = changed_texts(*texts)
    kept = {name: row[name] for name in ("file", "line", "operator", "method")}
    if proof is not None and ablations:
        kept["lost without"] = lost_without(row, others)
    return {
        **kept, "change": row["change"], "before": before, "after": after,
        "bytes": [row["change"].start, row["change"].end],
        "replacement": row["change"].replacement,
        "rule": rule.name if rule else None,
        "scope": proof.scope if proof else None, "sentence": sentence(proof) if proof else None,
        "assumptions": list(proof.assumptions) if proof else [], "seconds": round(seconds, 4),
    }  # fmt: skip


def lost_without(row: dict[str, Any], others: str) -> list[str]:
    """The ingredients without which the solver has no proof of this mutant."""
    asked = partial(
        prove, row["origin"], row["mutant"], "java", file=row["source"], line=row["at"]
    )  # fmt: skip
    lost = [name for name in INGREDIENTS if asked(others=others, without=frozenset({name})) is None]
    return lost if asked(others="") else [*lost, "other files"]


def run_proofs(
    rows: list[dict[str, Any]], directory: Path, copied: bool, inputs: int, scratch: Path
) -> dict[str, int]:
    """Run what was proved; each row gets what the run said."""
    files: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        files.setdefault(row["file"], []).append(row)
    for name, mine in files.items():
        place, text, shift = prepared(directory / name, copied, scratch)
        project = project_at(scratch if copied else directory)
        changes = [
            row["change"].model_copy(
                update={each: getattr(row["change"], each) + shift for each in ("start", "end")}
            )
            for row in mine
        ]
        answer = judge_file(project, place, text, changes, OracleSettings(inputs=inputs))
        for row, verdict in zip(mine, answer.verdicts, strict=True):
            row["run"] = f"{verdict.tier}: {verdict.reason}" if verdict.reason else verdict.tier
    return dict(Counter(row["run"].partition(":")[0] for row in rows))


def prepared(path: Path, copied: bool, folder: Path) -> tuple[Path, str, int]:
    """The file to run, its text, and by how many bytes a changed package line moves it."""
    text = path.read_text("utf-8")
    package = PACKAGE.search(text)
    if not copied or package is None:
        return path, text, 0
    home = f"copied.{package[1]}"
    line = f"package {home}; import {package[1]}.*;"
    moved = text[: package.start()] + line + text[package.end() :]
    place = folder / home.replace(".", "/") / path.name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(moved, "utf-8")
    return place, moved, len(moved.encode()) - len(text.encode())


def by_operator(rows: list[dict[str, Any]]) -> dict[str, list[int]]:
    """For each operator: mutants, proved by rules, proved by rules and prover."""
    found: dict[str, list[int]] = {}
    for row in rows:
        counts = found.setdefault(row["operator"], [0, 0, 0])
        counts[0] += 1
        counts[1] += bool(row["rule"])
        counts[2] += bool(row["rule"] or row["scope"])
    return dict(sorted(found.items()))


def _note(
    report: dict[str, Any], rows: list[dict[str, Any]], mine: list[dict[str, Any]], out: Path | None
) -> None:
    """Bring the report up to what is judged so far, of all projects and of the one at work."""
    cuts = quantiles([row["seconds"] for row in mine], n=100) if len(mine) > 1 else [0.0] * 99
    report["projects"][mine[0]["project"]] = {
        "mutants": len(mine), "proved": sum(1 for row in mine if row["rule"] or row["scope"]),
        "by rules": sum(1 for row in mine if row["rule"]),
        "median seconds": cuts[49], "p95 seconds": cuts[94],
    }  # fmt: skip
    report["by operator"] = by_operator(rows)
    report["lost without"] = dict(
        Counter(name for row in rows for name in row.get("lost without", ()))
    )
    _write(report, rows, out)


def _write(report: dict[str, Any], rows: list[dict[str, Any]], out: Path | None) -> None:
    """The proofs into the report, and the report into its file."""
    report["proofs"] = [
        {key: value for key, value in row.items() if key != "change"}
        for row in rows
        if row["rule"] or row["scope"]
    ]
    if out:
        out.write_text(json.dumps(report, indent=1) + "\n")


def main() -> int:
    """Draw, prove, print and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("places", nargs="+", help="NAME=DIRECTORY")
    parser.add_argument("--mutants", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--run", action="store_true")
    parser.add_argument("--copied", nargs="*", default=[], metavar="NAME")
    parser.add_argument("--inputs", type=int, default=400)
    parser.add_argument("--likely", action="store_true")
    parser.add_argument("--ablations", action="store_true")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    report: dict[str, Any] = {"operators": OPERATORS, "seed": options.seed, "projects": {}}
    rows: list[dict[str, Any]] = []
    for place in options.places:
        name, directory = place.split("=", 1)
        mine: list[dict[str, Any]] = []
        sources = SourceTree(Path(directory))
        others = lru_cache(1)(partial(constants_of_others, language="java", sources=sources))
        count = options.mutants // len(options.places)
        wanted = likely if options.likely else by_default
        for row in mutants(Path(directory), count, options.seed, wanted):
            found = judged(row, others(row["source"]), ablations=options.ablations)
            mine.append({"project": name, **found})
            rows.append(mine[-1])
            if len(mine) % 50 == 0:
                print(f"{name}: {len(mine)}", file=sys.stderr, flush=True)
                _note(report, rows, mine, options.out)
        _note(report, rows, mine, options.out)
        if options.run:
            proved = [row for row in mine if row["rule"] or row["scope"]]
            with tempfile.TemporaryDirectory() as scratch:
                report["projects"][name]["runs of proved mutants"] = run_proofs(
                    proved, Path(directory), name in options.copied, options.inputs, Path(scratch)
                )
            _write(report, rows, options.out)
    print(json.dumps(report["projects"], indent=1))
    return 1 if any(row.get("run", "").startswith("killed") for row in report["proofs"]) else 0


if __name__ == "__main__":
    sys.exit(main())
