"""The prover on mutants of Python libraries at places that look equivalent by their syntax.

python benchmarks/prover_wild_places.py NAME=DIRECTORY ... [--each 30] [--seed 1] [--out FILE]

Single replacements as mutmut and cosmic-ray make them: comparisons of `len`, `find`, `rfind` and
`count` with a constant that agree on their range, a flag False -> None, a constant that is set
again, `break` -> `return` of a last loop, `i == len(x)` -> `>=`, `x % 2 == 1` -> `> 0`. Nothing but
this package is needed; the output has one line of the source for each mutant.
"""

import argparse
import ast
import json
import operator
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from equimut.proofs.budget import DEFAULT
from prover_wild_python import MOST_BYTES, judged

MOST_CHARACTERS = 3_000
LEAST = {"len": 0, "find": -1, "rfind": -1, "count": 0}
SIGNS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
MEANT = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
         "==": operator.eq, "!=": operator.ne}  # fmt: skip
PARITY = {("==", 1): "> 0", ("!=", 0): "> 0", ("==", 0): "< 1"}
Place = tuple[int, int, int, str]
"""Line, first column, column behind it, and what stands there instead."""


def called(node: ast.AST) -> str:
    """The name of what an expression calls."""
    function = node.func if isinstance(node, ast.Call) else None
    return getattr(function, "id", "") or getattr(function, "attr", "")


def number(node: ast.expr) -> int | None:
    """The whole number that an expression spells."""
    turned = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    inner = node.operand if isinstance(node, ast.UnaryOp) and turned else node
    value = inner.value if isinstance(inner, ast.Constant) else None
    return (-value if turned else value) if type(value) is int else None


def compared(node: ast.Compare, least: dict[str, int]) -> Iterator[str]:
    """Other operators and right sides that agree where the left side is what it can be."""
    left, right, sign = node.left, node.comparators[0], SIGNS[type(node.ops[0])]
    bound, first = number(right), LEAST.get(called(left))
    if isinstance(left, ast.Name):
        first = least.get(left.id)
        if called(right) == "len" and sign in ("==", "<"):
            yield {"==": ">=", "<": "!="}[sign] + f" {ast.unparse(right)}"
    if isinstance(left, ast.BinOp) and isinstance(left.op, ast.Mod) and number(left.right) == 2:
        yield from [PARITY[sign, bound]] if (sign, bound) in PARITY else []
    if first is None or bound is None or bound >= first + 6:
        return
    for other, step in [*((each, 0) for each in MEANT), (sign, -1), (sign, 1)]:
        same = all(
            MEANT[sign](value, bound) == MEANT[other](value, bound + step)
            for value in range(first, first + 8)
        )
        if same and (other, step) != (sign, 0):
            yield f"{other} {bound + step}"


def loops_at_the_end(body: list[ast.stmt]) -> Iterator[ast.For | ast.While]:
    """Loops behind which a function ends."""
    last = body[-1] if body else None
    if isinstance(last, ast.For | ast.While):
        yield last
    elif isinstance(last, ast.If):
        yield from loops_at_the_end(last.body)
        yield from loops_at_the_end(last.orelse)
    elif isinstance(last, ast.With):
        yield from loops_at_the_end(last.body)


def breaks(loop: ast.For | ast.While) -> Iterator[ast.Break]:
    """The jumps out of this loop."""
    stack: list[ast.AST] = list(loop.body)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Break):
            yield node
        elif not isinstance(node, ast.For | ast.While | ast.FunctionDef):
            stack += ast.iter_child_nodes(node)


def constants(function: ast.FunctionDef, node: ast.Assign) -> Iterator[str]:
    """What to give a name instead of a constant: it is only asked for its truth, or set again."""
    target, value = node.targets[0], node.value
    if not isinstance(target, ast.Name) or not isinstance(value, ast.Constant):
        return
    names = [each for each in ast.walk(function) if getattr(each, "id", "") == target.id]
    asked = {
        id(inner)
        for each in ast.walk(function)
        if isinstance(each, ast.If | ast.While | ast.IfExp | ast.UnaryOp)
        for inner in ast.walk(each.operand if isinstance(each, ast.UnaryOp) else each.test)
    }
    reads = [each for each in names if isinstance(getattr(each, "ctx", None), ast.Load)]
    flag = value.value is False and reads and all(id(each) in asked for each in reads)
    later = sorted(
        (each.lineno, each.col_offset, isinstance(each.ctx, ast.Store))
        for each in names
        if isinstance(each, ast.Name) and (each.lineno, each.col_offset) > (value.lineno, 0)
        and each is not target
    )  # fmt: skip
    if flag or (later and later[0][2]):
        yield '""' if value.value is None else "None"


def places(function: ast.FunctionDef) -> Iterator[Place]:
    """Where a replacement looks equivalent."""
    given: dict[str, list[ast.AST]] = {}
    for node in ast.walk(function):
        for each in node.targets if isinstance(node, ast.Assign) else []:
            given.setdefault(getattr(each, "id", ""), []).append(node.value)  # type: ignore[attr-defined]
        if isinstance(node, ast.AugAssign | ast.For | ast.NamedExpr | ast.AnnAssign):
            for each in ast.walk(node.target):
                given.setdefault(getattr(each, "id", ""), []).append(node)
    least = {
        name: min(LEAST[called(each)] for each in values)
        for name, values in given.items()
        if all(called(each) in LEAST for each in values)
    }
    for node in ast.walk(function):
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in SIGNS:
            left, right = node.left, node.comparators[0]
            if left.end_lineno == right.lineno == right.end_lineno:
                for after in compared(node, least):
                    yield (
                        right.lineno,
                        left.end_col_offset or 0,
                        right.end_col_offset or 0,
                        f" {after}",
                    )
        elif isinstance(node, ast.Assign) and node.value.lineno == node.value.end_lineno:
            for after in constants(function, node):
                yield (
                    node.value.lineno,
                    node.value.col_offset,
                    node.value.end_col_offset or 0,
                    after,
                )
    for loop in loops_at_the_end(function.body):
        for each in breaks(loop):
            yield each.lineno, each.col_offset, each.end_col_offset or 0, "return"


def mutants(path: Path) -> Iterator[dict[str, Any]]:
    """The mutants of the functions of a file that are not too long."""
    source = path.read_text("utf-8")
    lines, stack = source.split("\n"), list(ast.parse(source).body)
    while stack:
        node = stack.pop()
        if not isinstance(node, ast.FunctionDef):
            stack += [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.stmt)]
            continue
        own = lines[node.lineno - 1 : node.end_lineno]
        if len("\n".join(own)) > MOST_CHARACTERS:
            continue
        for line, first, last, after in places(node):
            text = lines[line - 1].encode()
            changed = (text[:first] + after.encode() + text[last:]).decode()
            mutant = [*own]
            mutant[line - node.lineno] = changed
            yield {
                "file": path.name, "function": node.name, "line": node.lineno, "at": line,
                "before": lines[line - 1].strip(), "after": changed.strip(), "source": source,
                "origin": "\n".join(own).lstrip(), "mutant": "\n".join(mutant).lstrip(),
            }  # fmt: skip


def main() -> int:
    """Draw, prove and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directories", nargs="+", help="NAME=DIRECTORY")
    parser.add_argument("--each", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    found = []
    for place in options.directories:
        name, directory = place.split("=", 1)
        files = (each for each in sorted(Path(directory).rglob("*.py")) if "test" not in str(each))
        rows = [row for each in files if each.stat().st_size < MOST_BYTES for row in mutants(each)]
        random.Random(options.seed).shuffle(rows)
        for row in rows[: options.each]:
            found.append({"library": name, "at": row["at"], **judged(row, DEFAULT)})
            print(json.dumps(found[-1]), file=sys.stderr, flush=True)
    proved = sum(1 for row in found if row["rule"] or row["scope"])
    print(json.dumps({"mutants": len(found), "proved": proved}))
    if options.out:
        options.out.write_text(json.dumps(found, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
