"""Where a mutation of bytecode is in the source: against a table checked by hand, and javac."""

import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from conftest import count
from equimut.parsing.tree import parse
from equimut.reports.pit.read import read_pit
from equimut.reports.reported import ReportedMutant
from oracles.reports.class_files import Method
from oracles.reports.pit_bytecode import MUTATORS, Mutation, mutated_code, plain_code, report_xml
from oracles.reports.pit_machine import run
from oracles.reports.pit_project import (
    SOURCES,
    all_mutations,
    as_mutation,
    compiled,
    expected_rows,
    marked,
)


def javac_version() -> str:
    """The major version of the compiler on the PATH, or nothing."""
    if shutil.which("javac") is None:
        return ""
    said = subprocess.run(["javac", "-version"], capture_output=True, text=True, check=True)
    return (said.stdout + said.stderr).removeprefix("javac ").split(".")[0].strip()


needs_javac = pytest.mark.skipif(not javac_version(), reason="javac is not here")
needs_javac_17 = pytest.mark.skipif(
    javac_version() != "17", reason="the indices of the table are those of javac 17"
)
ROWS = expected_rows()
DEFAULTS = {
    "ConditionalsBoundaryMutator",
    "NegateConditionalsMutator",
    "MathMutator",
    "IncrementsMutator",
    "InvertNegsMutator",
    "VoidMethodCallMutator",
    "returns.PrimitiveReturnsMutator",
    "returns.EmptyObjectReturnValsMutator",
    "returns.NullReturnValsMutator",
    "returns.BooleanFalseReturnValsMutator",
    "returns.BooleanTrueReturnValsMutator",
}


def read(mutations: list[Mutation], folder: Path, *, new: bool = True) -> list[ReportedMutant]:
    """The report of these mutations, read with the project's sources."""
    path = folder / f"mutations_{new}.xml"
    path.write_text(report_xml([(found, "SURVIVED") for found in mutations], new_dialect=new))
    return list(read_pit(path, SOURCES).mutants())


def shown(mutant: ReportedMutant) -> str:
    """The changed lines as the table writes them; empty if the mutant was not located."""
    change = mutant.change
    if change is None:
        return ""
    source = (SOURCES / mutant.file).read_bytes()
    return marked(source, change.start_byte, change.end_byte, change.replacement)


@pytest.fixture(scope="module")
def located(tmp_path_factory: pytest.TempPathFactory) -> list[ReportedMutant]:
    return read([as_mutation(row) for row in ROWS], tmp_path_factory.mktemp("located"))


@pytest.fixture(scope="module")
def methods(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str, str], Method]:
    return compiled(SOURCES, tmp_path_factory.mktemp("classes"))


def test_the_table_holds_every_default_mutator_lambdas_and_crowded_lines() -> None:
    mutators = Counter(row.key[4].removeprefix(MUTATORS) for row in ROWS)
    assert set(mutators) > DEFAULTS
    assert sum(mutators[name] for name in DEFAULTS) >= 250
    assert sum("lambda$" in row.key[1] for row in ROWS) >= 25
    crowded = Counter((row.key[:3], row.line, row.key[4]) for row in ROWS)
    assert sum(number > 1 for number in crowded.values()) >= 40


def test_every_mutation_is_found_where_the_hand_checked_table_says(
    located: list[ReportedMutant],
) -> None:
    wrong = [
        (row.key, shown(mutant), mutant.problem)
        for row, mutant in zip(ROWS, located, strict=True)
        if shown(mutant) != row.mutant
    ]
    assert wrong == []
    assert sum(mutant.change is not None for mutant in located) / len(ROWS) >= 0.95


def test_both_dialects_say_the_same(located: list[ReportedMutant], tmp_path: Path) -> None:
    old = read([as_mutation(row) for row in ROWS], tmp_path, new=False)
    assert old == located


def test_every_located_mutant_parses_and_differs_in_the_stated_place_only(
    located: list[ReportedMutant],
) -> None:
    for mutant in located:
        change = mutant.change
        if change is None:
            continue
        source = (SOURCES / mutant.file).read_bytes()
        assert source[change.start_byte : change.end_byte].decode() == change.original
        mutated = source[: change.start_byte] + change.replacement.encode()
        mutated += source[change.end_byte :]
        assert parse(mutated, "java").errors == ()
        assert change.origin_function in source.decode()
        assert change.mutant_function in mutated.decode()
        assert change.origin_function != change.mutant_function


def test_what_is_not_located_is_code_the_compiler_adds_or_no_change(
    located: list[ReportedMutant],
) -> None:
    reasons = Counter(mutant.problem for mutant in located if mutant.change is None)
    assert set(reasons) == {
        "not locatable: the compiler adds this code: it is not in the source",
        "not locatable: the mutant is the same text as the source",
    }
    assert sum(reasons.values()) < len(ROWS) * 0.05


@needs_javac_17
def test_the_table_is_what_pit_would_do_to_the_compiled_project(
    methods: dict[tuple[str, str, str], Method],
) -> None:
    found = [(m.key, m.instruction.line, m.instruction.name) for m in all_mutations(methods)]
    assert found == [(row.key, row.line, row.opcode) for row in ROWS]


@needs_javac
def test_any_javac_leads_to_the_same_places(
    methods: dict[tuple[str, str, str], Method], tmp_path: Path
) -> None:
    """Versions number lambdas differently; what is found in the text is the same."""
    found = read(all_mutations(methods), tmp_path)
    ours = Counter((mutant.line, mutant.operator, shown(mutant)) for mutant in found)
    rows = ((row.line, row.key[4].rpartition(".")[2], row.mutant) for row in ROWS)
    assert ours == Counter(rows)


@needs_javac
def test_the_class_reader_agrees_with_javap(
    methods: dict[tuple[str, str, str], Method], tmp_path: Path
) -> None:
    compiled(SOURCES, tmp_path)
    classes = sorted(map(str, tmp_path.rglob("*.class")))
    printed = subprocess.run(
        ["javap", "-c", "-p", "-l", *classes],
        check=True, capture_output=True, text=True, timeout=120,
    ).stdout  # fmt: skip
    theirs = []
    for part in re.split(r"\n    Code:\n", printed)[1:]:
        rows = re.findall(r"^ +(\d+): (\w+)", part.split("LineNumberTable")[0], re.MULTILINE)
        starts = re.findall(r"^ +line (\d+): (\d+)$", part, re.MULTILINE)
        lines = {int(offset): int(line) for line, offset in starts}
        line, code = 0, []
        for offset, name in rows:
            line = lines.get(int(offset), line)
            code.append((name, line))
        theirs.append(code)
    ours = [[(i.name, i.line) for i in method.code] for method in methods.values()]
    bridges = [code for code in theirs if len(code) == 5 and code[2][0] == "checkcast"]
    assert len(bridges) == 1
    assert _known(ours) == _known([code for code in theirs if code not in bridges])


def _known(code: list[list[tuple[str, int]]]) -> list[list[tuple[str, int]]]:
    """What PIT mutates, of every method; the reader does not name other instructions."""
    names = {row.opcode for row in ROWS}
    return sorted([one for one in method if one[0] in names] for method in code)


@pytest.fixture(scope="module")
def variants(
    methods: dict[tuple[str, str, str], Method],
    located: list[ReportedMutant],
    tmp_path_factory: pytest.TempPathFactory,
) -> list[tuple[Mutation, ReportedMutant, dict[tuple[str, str, str], Method]]]:
    """Mutants as source, each compiled in a package of its own, all in one run of javac."""
    pairs = list(zip(all_mutations(methods), located, strict=True))
    chosen = [pair for pair in pairs if pair[1].change is not None]
    chosen = [pair for pair in chosen if pair[1].index % count(4, 1) == 0]
    folder = tmp_path_factory.mktemp("variants")
    sources = {path.relative_to(SOURCES): path.read_bytes() for path in SOURCES.rglob("*.java")}
    for number, (_, mutant) in enumerate(chosen):
        change = mutant.change
        assert change is not None
        for name, text in sources.items():
            if name.as_posix() == mutant.file:
                text = (
                    text[: change.start_byte]
                    + change.replacement.encode()
                    + text[change.end_byte :]
                )
            elif name.name not in ("Item.java", mutant.file):
                continue
            path = folder / "src" / f"v{number}_" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.replace(b"package shop", b"package v%d_.shop" % number))
    found: list[dict[tuple[str, str, str], Method]] = [{} for _ in chosen]
    for (class_name, name, descriptor), method in compiled(folder / "src", folder / "o").items():
        package, _, plain = class_name.partition("_.")
        key = plain, name, re.sub(r"v\d+_/", "", descriptor)
        found[int(package[1:])][key] = method
    return [(*pair, classes) for pair, classes in zip(chosen, found, strict=True)]


@needs_javac_17
def test_the_compiled_mutant_differs_in_exactly_the_instruction_that_pit_changes(
    variants: list[tuple[Mutation, ReportedMutant, dict[tuple[str, str, str], Method]]],
) -> None:
    compared = 0
    for mutation, mutant, classes in variants:
        wanted = mutated_code(mutation)
        assert mutant.change is not None
        if wanted is None or mutation.method.name == "finished":
            continue  # a change of `finally` is in the bytecode more than once
        if mutant.change.original == "!high":
            continue  # `high` needs no jump at all where its value is wanted
        got = classes[mutation.key[:3]]
        plain = re.sub(r"v\d+_/", "", repr(plain_code(got)))
        assert plain == repr(wanted), (mutant.file, mutant.line, mutant.description)
        others = {key: m for key, m in classes.items() if key[0] == mutation.method.class_name}
        assert len(others) > 1
        compared += 1
    assert compared >= count(35, 160)


@needs_javac_17
def test_mutated_bytecode_and_mutated_source_compute_the_same(
    variants: list[tuple[Mutation, ReportedMutant, dict[tuple[str, str, str], Method]]],
) -> None:
    """Also removed conditions and returns, whose source compiles to other instructions."""
    random, kinds = Random(8), Counter[str]()
    for mutation, mutant, classes in variants:
        if mutation.method.class_name != "shop.Gate":
            continue
        got = classes[mutation.key[:3]]
        differs = False
        for _ in range(count(15, 200)):
            values = [random.randint(-3, 10) for _ in range(3)]
            expected = run(mutation.method, values, mutation)
            assert run(got, values) == expected, (mutant.description, shown(mutant), values)
            differs = differs or expected != run(mutation.method, values)
        kinds[mutant.operator.split("_")[0]] += differs
    assert kinds["RemoveConditionalMutator"] >= count(8, 40)
    for name in ("ReturnValsMutator", "PrimitiveReturnsMutator", "MathMutator"):
        assert kinds[name] >= 1
