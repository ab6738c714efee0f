"""The prover on mutants that mutmut makes of real Python libraries: what share, which proofs.

python benchmarks/prover_wild_python.py NAME=DIRECTORY ... [--mutants 600] [--seed 1]
    [--budget small] [--out FILE]

Needs mutmut 3.8 beside this package: its own operators make the mutants. Drawn at random, the same
number from each library, proved with the whole file in sight. Per mutant the output has file,
function, line and the change, never more of the source.
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from statistics import quantiles
from typing import Any

from equimut.errors import EquimutError
from equimut.proofs.budget import BUDGETS, DEFAULT, Budget
from equimut.proofs.proving import prove as prove_by_rule
from equimut.proofs.smt.explaining import sentence
from equimut.proofs.smt.proving import prove

MOST_BYTES = 150_000
MOST_SHOWN = 60


def of_file(path: Path) -> list[tuple[Path, Any, Any]]:
    """File, tree and mutation of all mutants of the functions of a file."""
    import libcst
    from mutmut.mutation.file_mutation import create_mutations

    module, mutations, *_ = create_mutations(str(path), path.read_text("utf-8"))
    return [
        (path, module, mutation)
        for mutation in mutations
        if isinstance(mutation.contained_by_top_level_function, libcst.FunctionDef)
    ]


def spelt(path: Path, module: Any, mutation: Any) -> dict[str, Any] | None:
    """The texts of a mutant; None where its function is there twice."""
    from mutmut.mutation.file_mutation import deep_replace

    source, function = path.read_text("utf-8"), mutation.contained_by_top_level_function
    changed = deep_replace(function, mutation.original_node, mutation.mutated_node)
    origin, mutant = (_cut(module.code_for_node(each)) for each in (function, changed))
    if source.count(origin) != 1 or origin == mutant:
        return None
    return {
        "file": path.name, "function": function.name.value,
        "line": source[: source.index(origin)].count("\n") + 1,
        "before": module.code_for_node(mutation.original_node),
        "after": module.code_for_node(mutation.mutated_node),
        "origin": origin, "mutant": mutant, "source": source,
    }  # fmt: skip


def _cut(text: str) -> str:
    """A function without blank lines and comments before it."""
    lines = text.rstrip().split("\n")
    while lines and (not lines[0].strip() or lines[0].strip().startswith("#")):
        lines.pop(0)
    return "\n".join(lines).lstrip()


def drawn(root: Path, count: int, seed: int) -> Iterator[dict[str, Any]]:
    """So many mutants of the files below a directory."""
    found: list[tuple[Path, Any, Any]] = []
    for path in sorted(root.rglob("*.py")):
        if path.stat().st_size < MOST_BYTES:
            found += of_file(path)
    random.Random(seed).shuffle(found)
    rows = (spelt(*each) for each in found)
    return islice((row for row in rows if row is not None), count)


def judged(row: dict[str, Any], budget: Budget) -> dict[str, Any]:
    """What is proved of one mutant."""
    rule = prove_by_rule(row["origin"], row["mutant"], "python", row["source"])
    begin = time.process_time()
    try:
        proof = prove(
            row["origin"],
            row["mutant"],
            "python",
            file=row["source"],
            line=row["line"],
            budget=budget,
        )
    except EquimutError:
        proof = None
    seconds = time.process_time() - begin
    kept = {name: row[name] for name in ("file", "function", "line")}
    kept |= {name: " ".join(row[name].split())[:MOST_SHOWN] for name in ("before", "after")}
    return {
        **kept, "rule": rule.name if rule else None, "scope": proof.scope if proof else None,
        "sentence": sentence(proof) if proof else None,
        "assumptions": list(proof.assumptions) if proof else [], "seconds": round(seconds, 4),
    }  # fmt: skip


def main() -> int:
    """Draw, prove, print and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("places", nargs="+", help="NAME=DIRECTORY")
    parser.add_argument("--mutants", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--budget", choices=("small", "default", "large"), default="default")
    options = parser.parse_args()
    budget = BUDGETS[options.budget] or DEFAULT
    report: dict[str, Any] = {"tool": "mutmut 3.8", "seed": options.seed, "budget": options.budget}
    report["libraries"] = {}
    report["proofs"] = []
    for place in options.places:
        name, directory = place.split("=", 1)
        mine: list[dict[str, Any]] = []
        for row in drawn(Path(directory), options.mutants // len(options.places), options.seed):
            mine.append({"library": name, **judged(row, budget)})
            if len(mine) % 20 == 0:
                print(f"{name}: {len(mine)}", file=sys.stderr, flush=True)
        proved = [row for row in mine if row["rule"] or row["scope"]]
        cuts = quantiles([row["seconds"] for row in mine], n=100)
        report["libraries"][name] = {
            "mutants": len(mine), "proved": len(proved),
            "by rules": sum(1 for row in mine if row["rule"]),
            "median seconds": round(cuts[49], 3), "p95 seconds": round(cuts[94], 3),
        }  # fmt: skip
        report["proofs"] += proved
        if options.out:
            options.out.write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps(report["libraries"], indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
