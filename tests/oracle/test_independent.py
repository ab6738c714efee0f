"""The oracle against things that share no code with it: an evaluator, and plain programs."""

import json
import random
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import count
from equimut.oracle.judging import judge_mutants
from oracles import jdk

Expression = tuple["str | Expression", ...] | str
DOMAIN = [(a, p) for p in (0, 1) for a in range(-128, 128)]
OPERATORS = ("+", "-", "*", "&", "|", "^", "<", "<=", "==")


def grow(rng: random.Random, depth: int) -> Expression:
    """A random integer expression over a (a byte) and p (a truth value)."""
    if depth == 0 or rng.random() < 0.15:
        return rng.choice(("a", "a", "p", str(rng.randint(-3, 5))))
    return (rng.choice(OPERATORS), grow(rng, depth - 1), grow(rng, depth - 1))


def mutate(rng: random.Random, tree: Expression) -> Expression:
    """Change one spot: an operator, the order of operands, or a leaf."""
    if isinstance(tree, str):
        return rng.choice(("a", "p", "0", "1", str(rng.randint(-3, 5))))
    operator, left, right = tree
    assert isinstance(operator, str)
    way = rng.random()
    if way < 0.25:
        return (rng.choice(OPERATORS), left, right)
    if way < 0.4:
        return (operator, right, left)
    if way < 0.7:
        return (operator, mutate(rng, left), right)
    return (operator, left, mutate(rng, right))


def value(tree: Expression, a: int, p: int) -> int:
    """What an expression means; truth values are 0 and 1."""
    if isinstance(tree, str):
        return {"a": a, "p": int(p)}[tree] if tree in "ap" else int(tree)
    operator, left, right = tree
    x, y = value(left, a, p), value(right, a, p)
    table: dict[str, Callable[[], int]] = {
        "+": lambda: x + y, "-": lambda: x - y, "*": lambda: x * y, "&": lambda: x & y,
        "|": lambda: x | y, "^": lambda: x ^ y, "<": lambda: int(x < y),
        "<=": lambda: int(x <= y), "==": lambda: int(x == y),
    }  # fmt: skip
    return table[str(operator)]()


def written(tree: Expression, language: str) -> str:
    if isinstance(tree, str):
        if tree == "p" and language != "c":
            return "(p ? 1 : 0)" if language == "java" else "(1 if p else 0)"
        return f"({tree})" if tree.startswith("-") else tree
    operator, left, right = tree
    text = f"({written(left, language)} {operator} {written(right, language)})"
    if operator in ("<", "<=", "==") and language != "c":
        return f"({text} ? 1 : 0)" if language == "java" else f"int{text}"
    return text


TEMPLATES = {
    "java": "static int f(byte a, boolean p) {{ return {}; }}",
    "c": "int f(signed char a, bool p) {{ return {}; }}",
}


@pytest.mark.parametrize("language", ["java", "c"])
def test_verdicts_on_random_expressions_agree_with_an_evaluator(language: str) -> None:
    """Depth 3 keeps every value within 32 bits, so unlimited integers are a fair evaluator."""
    if shutil.which({"java": "javac", "c": "gcc"}[language]) is None:
        pytest.skip(f"no compiler for {language}")
    for seed in range(count(2, 25)):
        rng = random.Random(seed)
        origin = grow(rng, 3)
        mutants = [mutate(rng, origin) for _ in range(40)]
        table = [value(origin, a, p) for a, p in DOMAIN]
        texts = [TEMPLATES[language].format(written(tree, language)) for tree in (origin, *mutants)]
        verdicts = judge_mutants(texts[0], texts[1:], language)
        for tree, text, verdict in zip(mutants, texts[1:], verdicts, strict=True):
            equal = [value(tree, a, p) for a, p in DOMAIN] == table
            assert verdict.tier == ("proved" if equal else "killed"), (texts[0], text)
            if verdict.witness is not None:
                a, p = verdict.witness.arguments
                assert verdict.witness.origin.value == str(value(origin, a, p))
                assert verdict.witness.mutant.value == str(value(tree, a, p))


def test_verdicts_on_random_python_expressions_agree_with_an_evaluator() -> None:
    """The same over three truth values: Python has no small integer type."""
    domain = [(a, p) for a in (0, 1) for p in (0, 1)]
    for seed in range(count(3, 40)):
        rng = random.Random(seed)
        origin = grow(rng, 3)
        mutants = [mutate(rng, origin) for _ in range(40)]
        table = [value(origin, a, p) for a, p in domain]
        texts = [
            f"def f(b: bool, p: bool) -> int:\n    a = b + 0\n    return {written(t, 'python')}\n"
            for t in (origin, *mutants)
        ]
        verdicts = judge_mutants(texts[0], texts[1:], "python")
        for tree, text, verdict in zip(mutants, texts[1:], verdicts, strict=True):
            equal = [value(tree, a, p) for a, p in domain] == table
            open_ = {"unrefuted"} if "int(" in texts[0] + text else set()  # a call is no proof
            assert verdict.tier in ({"proved"} | open_ if equal else {"killed"}), (texts[0], text)


DIGITS = {
    "python": """
def f(text: str, base: int) -> int:
    total = 0
    for c in text:
        if '0' <= c <= '9':
            total = total * base + int(c)
        elif c != '_':
            return -1
    return total
""",
    "java": """
static long f(String text, int base) {
    long total = 0;
    for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        if (c >= '0' && c <= '9') total = total * base + (c - '0');
        else if (c != '_') return -1;
    }
    return total;
}
""",
    "c": """
unsigned f(const char *text, unsigned base) {
    unsigned total = 0;
    for (int i = 0; text[i] != 0; i++) {
        char c = text[i];
        if (c >= '0' && c <= '9') total = total * base + (unsigned)(c - '0');
        else if (c != '_') return 77u;
    }
    return total;
}
""",
}
EDITS = {
    "python": [("<= '9'", "< '9'"), ("'0' <=", "'0' <"), ("* base", "+ base"), ("!= '_'", "== '_'"),
               ("total = 0", "total = 1"), ("return -1", "return 1")],
    "java": [("<= '9'", "< '9'"), (">= '0'", "> '0'"), ("* base", "+ base"), ("!= '_'", "== '_'"),
             ("total = 0", "total = 1"), ("return -1", "return 1"), ("i < text", "i <= text")],
    "c": [("<= '9'", "< '9'"), (">= '0'", "> '0'"), ("* base", "+ base"), ("!= '_'", "== '_'"),
          ("total = 0", "total = 1"), ("return 77u", "return 1u")],
}  # fmt: skip


Call = tuple[str, tuple[object, ...]]


def run_python(calls: list[Call], _: Path) -> list[str]:
    results = []
    for source, arguments in calls:
        names: dict[str, object] = {}
        exec(source, names)
        results.append(repr(names["f"](*arguments)))  # type: ignore[operator]
    return results


def run_java(calls: list[Call], folder: Path) -> list[str]:
    """A program with a main, the way a person would check it."""
    classes, lines = [], []
    for number, (source, (text, base)) in enumerate(calls):
        classes.append(f"class Unit{number} {{ {source} }}")
        argument = "null" if text is None else json.dumps(text)
        lines.append(f"try {{ System.out.println(Unit{number}.f({argument}, {base})); }}")
        lines.append("catch (Exception e) { System.out.println(e.getClass().getName()); }")
    main = "class Main { public static void main(String[] a) { " + "\n".join(lines) + " } }"
    (folder / "Main.java").write_text("\n".join([main, *classes]))
    return _output([*jdk.JAVA, "Main.java"], folder)


def run_c(calls: list[Call], folder: Path) -> list[str]:
    units, lines = [], []
    for number, (source, (text, base)) in enumerate(calls):
        quoted = "".join(f"\\{byte:03o}" for byte in str(text).encode())
        units.append(source.replace(" f(", f" f{number}("))
        lines.append(f'printf("%u\\n", f{number}("{quoted}", {base}u));')
    main = "int main(void) { " + "\n".join(lines) + " return 0; }"
    (folder / "main.c").write_text("\n".join(["#include <stdio.h>", *units, main]))
    subprocess.run(["gcc", "-w", "-o", "main", "main.c"], cwd=folder, check=True)
    return _output(["./main"], folder)


def _output(command: list[str], folder: Path) -> list[str]:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


RUNNERS: dict[str, Callable[[list[Call], Path], list[str]]] = {
    "python": run_python,
    "java": run_java,
    "c": run_c,
}


@pytest.mark.parametrize("language", ["python", "java", "c"])
def test_witnesses_hold_in_plain_programs(language: str, tmp_path: Path) -> None:
    if shutil.which({"java": "javac", "c": "gcc"}.get(language, "python3")) is None:
        pytest.skip(f"no compiler for {language}")
    origin = DIGITS[language]
    mutants = [origin.replace(old, new, 1) for old, new in EDITS[language]]
    calls: list[Call] = []
    told = []
    for mutant, verdict in zip(mutants, judge_mutants(origin, mutants, language), strict=True):
        witness = verdict.witness
        assert witness is not None, mutant
        for source, behaviour in ((origin, witness.origin), (mutant, witness.mutant)):
            calls.append((source, witness.arguments))
            told.append(behaviour.value or behaviour.detail.split(":")[0])
    assert RUNNERS[language](calls, tmp_path) == told
