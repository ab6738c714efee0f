"""Makes C tests for killed mutants, and keeps those that were seen to work."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from equimut.errors import OracleError
from equimut.oracle.c.building import Workshop
from equimut.oracle.c.glue import Glue, Recipe
from equimut.oracle.c.seeing import Key, Sight
from equimut.oracle.c.source_text import INDENT
from equimut.oracle.c.test_text import CallToTest, test_source
from equimut.oracle.choosing import Killed, apart, needed_facets, remarks_of
from equimut.oracle.project import FileMutant, SuggestedTest
from equimut.oracle.sandbox.process import Limits, run_in_sandbox

Kind = tuple[tuple[str, ...], Mapping[str, str]]
"""How tests are compiled, and the environment in which they run."""
KINDS: tuple[Kind, ...] = (
    (("-O0", "-w"), {}),
    # Fresh memory holds something else, and variables are laid out in another way.
    (("-O1", "-w"), {"MALLOC_PERTURB_": "165"}),
)
SECONDS = 2
"""Of the processor, for one test: a mutant may be endless."""
WALL = 30
HEADERS = ("assert", "math", "stdio", "stdlib", "string")
HEADING = """/*
 * Tests that kill mutants of {file} which survived, written by equimut.
 *
 * They assert what the code does now. Whether that is right is for the reader to decide.
 * From the directory of the project: {command}
 */
"""


@dataclass(frozen=True)
class Chosen:
    """A call that a test is made of, and the mutants that die of it."""

    function: int
    row: Sequence[Recipe]
    sight: Sight
    keys: Sequence[Key]
    place: int
    dying: Sequence[Killed]


def write_tests(
    shop: Workshop,
    glue: Glue,
    source: str,
    mutants: Sequence[FileMutant],
    chosen: Sequence[Chosen],
) -> tuple[list[SuggestedTest], int]:
    """Tests for killed mutants, each of which was run on both sides, and how many did not hold."""
    made = []
    top = head_of(shop, glue)
    for each in chosen:
        origin = {"outcome": "returns", "facets": each.sight.rows(each.keys)}
        needed = needed_facets(origin, each.place, each.dying)
        function = glue.functions[each.function]
        call = CallToTest(function, each.row, each.sight.freed, each.sight.facets)
        name, text = test_source(glue, call, needed)
        kills = tuple(killed.number for killed in each.dying)
        made.append(SuggestedTest(name=name, imports=top, text=text, kills=kills, comment="//"))
    kept, dropped = verify(shop, source, mutants, apart(made, "static void"))
    known = {killed.number: killed.remark for each in chosen for killed in each.dying}
    return [_with_remarks(test, known) for test in kept], dropped


def finished(tests: Sequence[SuggestedTest]) -> tuple[SuggestedTest, ...]:
    """The tests with names that are all different, and a program around each."""
    return tuple(
        test.model_copy(update={"frame": ("", _main([test.name]))})
        for test in apart(tests, "static void")
    )


def head_of(shop: Workshop, glue: Glue) -> tuple[str, ...]:
    """The lines above the tests of a file."""
    own = [f'#include "{shop.title}"']
    if any(function.name == "main" for function in glue.file.functions):
        own = ["#define main main_of_the_file", *own, "#undef main"]
    others = [f"#include <{name}.h>" for name in HEADERS]
    return ("#undef NDEBUG", *own, *others)


def _main(names: Sequence[str]) -> str:
    calls = "".join(f"{INDENT}{name}();\n" for name in names)
    return f"\nint main(void) {{\n{calls}{INDENT}return 0;\n}}"


def _with_remarks(test: SuggestedTest, known: Mapping[int, str]) -> SuggestedTest:
    """The test with a comment on what it was seen to kill."""
    first, _, rest = test.text.partition("\n")
    # A comment of this kind must not go on in the next line, nor begin another.
    remarks = [f"{INDENT}// {line}".rstrip("\\") for line in remarks_of(test, known)]
    return test.model_copy(update={"text": "\n".join([first, *remarks, rest])})


def verify(
    shop: Workshop, source: str, mutants: Sequence[FileMutant], tests: Sequence[SuggestedTest]
) -> tuple[list[SuggestedTest], int]:
    """Run every test on the origin and on its mutants, in two ways; keep what works."""
    steady = list(_sound(shop, source, tests))
    for kind in KINDS:
        steady = _steady(shop, source, steady, kind)
    failing: dict[str, set[int]] = {test.name: set(test.kills) for test in steady}
    for number in sorted({number for test in steady for number in test.kills}):
        asked = [test for test in steady if number in test.kills]
        changed = mutants[number].applied_to(source)
        for kind in KINDS:
            outcomes = run_tests(shop, changed, asked, kind)
            for test in asked:
                if outcomes.get(test.name) is not False:
                    failing[test.name].discard(number)
    kept = []
    for test in steady:
        kills = tuple(number for number in test.kills if number in failing[test.name])
        if kills:
            kept.append(test.model_copy(update={"kills": kills}))
    whole = {test.name: test.kills for test in kept}
    return kept, sum(whole.get(test.name) != test.kills for test in tests)


def _sound(shop: Workshop, source: str, tests: Sequence[SuggestedTest]) -> Sequence[SuggestedTest]:
    """The tests that compile: all, or those that do so alone."""
    if build_tests(shop, source, tests, KINDS[0]) is not None:
        return tests
    return [test for test in tests if build_tests(shop, source, [test], KINDS[0]) is not None]


def _steady(
    shop: Workshop, source: str, tests: Sequence[SuggestedTest], kind: Kind
) -> list[SuggestedTest]:
    """The tests that pass on the origin, alone and after one another."""
    program = build_tests(shop, source, tests, kind)
    kept: list[int] = []
    for number in range(len(tests)) if program else ():
        assert program is not None
        if passes(program, [number], kind) and passes(program, [*kept, number], kind):
            kept.append(number)
    return [tests[number] for number in kept]


def run_tests(
    shop: Workshop, source: str, tests: Sequence[SuggestedTest], kind: Kind
) -> dict[str, bool]:
    """Which tests pass on a version of the file, one process each; none if it does not compile."""
    program = build_tests(shop, source, tests, kind)
    if program is None:
        return {}
    return {test.name: passes(program, [at], kind) for at, test in enumerate(tests)}


def build_tests(
    shop: Workshop, source: str, tests: Sequence[SuggestedTest], kind: Kind
) -> Path | None:
    """A program that runs the tests whose numbers it is given; None if it does not compile."""
    if not tests:
        return None
    options, _ = kind
    folder = shop.write(source, "tested")
    text = "".join([*(f"{line}\n" for line in tests[0].imports), *(test.text for test in tests)])
    cases = "".join(f"case {at}: {test.name}(); break;\n" for at, test in enumerate(tests))
    main = (
        "int main(int count, char **words) {\nfor (int i = 1; i < count; i++) {\n"
        f"switch (atoi(words[i])) {{\n{cases}}}\n}}\nreturn 0;\n}}\n"
    )
    file, made = folder / "tests.c", folder / "tests.o"
    file.write_text(text + main, encoding="utf-8", errors="surrogateescape")
    if shop.compile(file, made, folder, options):
        return None
    try:
        return shop.link(made, folder / "tests", [], options)
    except OracleError:
        return None


def passes(program: Path, numbers: Sequence[int], kind: Kind) -> bool:
    """Whether some tests pass, one after the other in one process."""
    folder = program.parent / "run"
    folder.mkdir(exist_ok=True)
    script = f'ulimit -t {SECONDS}; exec "$0" "$@"'
    command = ["sh", "-c", script, program, *map(str, numbers)]
    return run_in_sandbox(command, folder, Limits(WALL), kind[1]).code == 0


def suggested_file(file: str, tests: Sequence[SuggestedTest]) -> tuple[str, str]:
    """The name and the text of the file with the tests of one source file."""
    name = f"test_{'_'.join(PurePosixPath(file).with_suffix('').parts)}_survivors.c"
    kept = apart(tests, "static void")
    command = f"gcc -I. (and the options of {file}) {name}"
    heading = HEADING.format(file=file, command=command)
    body = "\n".join(test.text for test in kept)
    top = "\n".join(tests[0].imports)
    return name, f"{heading}{top}\n\n{body}{_main([test.name for test in kept])}\n"
