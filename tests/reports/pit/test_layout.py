"""The order and the lines of what PIT mutates, against what javac really emits."""

import shutil
from pathlib import Path

import pytest

from conftest import ROOT, count
from equimut.parsing.tree import parse
from equimut.reports.pit.layout import MethodLayout
from equimut.reports.pit.members import Members
from equimut.reports.pit.points import Point
from equimut.semantics.constants import Constants
from equimut.semantics.program import Program
from oracles.reports.class_files import Method
from oracles.reports.pit_project import SOURCES, compiled

pytestmark = pytest.mark.skipif(shutil.which("javac") is None, reason="javac is not here")
SIGNS = {
    "add": "+", "sub": "-", "mul": "*", "div": "/", "rem": "%", "and": "&", "or": "|", "xor": "^",
    "shl": "<<", "shr": ">>", "ushr": ">>>",
}  # fmt: skip
ORDER = ("lt", "le", "gt", "ge")


def emitted(method: Method) -> list[tuple[str, str, int]]:
    """Jumps, arithmetic, increments, negations and returns: kind, detail, line."""
    found = []
    for instruction in method.code:
        name, line = instruction.name, instruction.line
        if name.startswith("if"):
            family = "comparison" if name.endswith(ORDER) else "equality"
            found.append(("jump", family, line))
        elif name[1:] in SIGNS and name[0] in "ilfd":
            found.append(("math", SIGNS[name[1:]], line))
        elif name == "iinc":
            found.append(("increment", "", line))
        elif name[1:] == "neg":
            found.append(("negation", "", line))
        elif name.endswith("return") and name != "return":
            found.append(("return", "", line))
    return found


def laid_out(program: Program, members: Members, method: Method) -> list[Point]:
    layout = MethodLayout(program, Constants(program))
    line = method.code[0].line
    body = members.class_body(method.class_name, line)
    if not method.name.startswith("lambda$"):
        return layout.body(*members.parts(body, method.name, method.descriptor, line))
    seen = ((method.name, method.descriptor, line),)
    inner = members.lambda_bodies(body, method.name, method.descriptor, line, seen)[0]
    points = layout.body(inner) if inner.type == "block" else layout.returned(inner)
    is_void = method.descriptor.endswith("V")
    return [point for point in points if not (is_void and point.kind == "return")]


def compare(sources: Path, classes: Path) -> int:
    """Compare all methods of a source tree; how many points were compared."""
    programs: dict[Path, Program] = {}
    compared = 0
    for method in compiled(sources, classes).values():
        outer = method.class_name.split("$")[0].replace(".", "/")
        path = sources / f"{outer}.java"
        if path not in programs:
            programs[path] = Program(parse(path.read_bytes(), "java"))
        program = programs[path]
        if method.name in ("<init>", "values", "valueOf", "$values", "<clinit>"):
            continue  # a constructor's first line is the class, not the constructor
        found = [
            (point.kind, point.operator or point.family, point.line)
            for point in laid_out(program, Members(program), method)
            if point.kind not in ("call", "new")
        ]
        assert found == emitted(method), (method.class_name, method.name)
        compared += len(found)
    return compared


def test_the_projects_methods_are_laid_out_as_javac_does(tmp_path: Path) -> None:
    assert compare(SOURCES, tmp_path) >= 190


SPREAD = """class Spread {
    boolean bound(Object o, Object q) {
        return o instanceof String s
            && s.isEmpty()
            && q == null;
    }
    void lines(Object o, Object q, int[] all) {
        if (o instanceof String s
            && s.isEmpty()
            && q == null)
            q.hashCode();
        boolean b = q != null
            && o instanceof String t
            && t.isEmpty();
        while (q == o
            && q != null)
            q = null;
        for (int k = 0; k
            < 3
            && q != null; k++)
            q = null;
        for (int one :
            all) b = one > 3;
        do q = o; while (
            q != o
            || b);
        boolean c = !(o instanceof String u)
            || u.isEmpty();
        java.util.function.IntPredicate p = x ->
            x > 3
            || x < all[0];
        b = (c
            ? b
            : all[0]
            > 4) && q
            == o;
    }
    int left(int n, Object lock) {
        outer:
        while (n > 0) {
            try {
                if (n == 3) continue outer;
                if (n == 4) break;
                synchronized (lock) { n -= 2; }
            } catch (RuntimeException e) {
                return n * 2;
            } finally {
                n = n - 1;
                try { n++; } finally { n = n / 2; }
            }
        }
        switch (n) {
            case 1: assert n > 3 : "no" + n; break;
            case 2: n = -n;
        }
        return n;
    }
}
"""


def test_expressions_over_many_lines_and_jumps_out_of_finally(tmp_path: Path) -> None:
    (tmp_path / "Spread.java").write_text(SPREAD)
    assert compare(tmp_path, tmp_path / "o") >= 50


def test_the_bundled_origins_are_laid_out_as_javac_does(tmp_path: Path) -> None:
    origins = sorted((ROOT / "src/equimut/data/benchmark/origins/java").glob("*.java"))
    for path in origins[:: count(4, 1)]:
        name = f"O_{path.stem}"
        text = f"import java.util.*;\nclass {name} {{\n{path.read_text()}\n}}\n"
        (tmp_path / f"{name}.java").write_text(text)
    assert compare(tmp_path, tmp_path / "o") >= count(300, 1200)
