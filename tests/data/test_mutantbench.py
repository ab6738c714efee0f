"""Turtle and programs become function-level pairs, or one clear error."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import shared_file
from equimut.data.published.mutantbench import MutantBench, read_mutantbench
from equimut.data.published.turtle import read_turtle
from equimut.data.splitting.cleaning import is_partial, without_duplicates
from equimut.errors import DataError
from oracles.datasets.tiny_published import (
    MUTANTS,
    PREFIXES,
    SPANS,
    method,
    program_block,
    write_mutantbench,
)


@pytest.fixture
def java(tmp_path: Path) -> MutantBench:
    write_mutantbench(tmp_path)
    return read_mutantbench(tmp_path, "java")


@pytest.fixture
def c(tmp_path: Path) -> MutantBench:
    write_mutantbench(tmp_path)
    return read_mutantbench(tmp_path, "c")


def test_each_java_mutant_becomes_the_pair_of_its_method(java: MutantBench) -> None:
    assert [pair.id for pair in java.pairs] == [f"mutantbench-java:{name}" for name in SPANS]
    for pair, mutant in zip(java.pairs, MUTANTS, strict=False):
        span = SPANS[mutant.name]
        assert pair.origin == method(mutant.program, *span)
        assert pair.mutant == method(mutant.program, *span, mutant.edits)
        assert (pair.program, set(pair.operators)) == (mutant.program, set(mutant.operators))
        assert (pair.source, pair.language, pair.split) == ("mutantbench-java", "java", "")


def test_a_class_is_an_origin_numbered_by_its_place(java: MutantBench) -> None:
    assert [pair.class_id for pair in java.pairs] == [0, 0, 1, 2, 2]


def test_a_mutant_called_both_is_not_equivalent_and_counted(java: MutantBench) -> None:
    assert [pair.label for pair in java.pairs] == [1, 0, 0, 0, 1]
    assert java.labelled_both_ways == 1


def test_a_function_without_a_modern_header_is_found(c: MutantBench) -> None:
    assert c.pairs[0].origin == method("tally.c", 2, 9)
    assert c.pairs[0].mutant == method("tally.c", 2, 9, ((5, "\tint total = 1;"),))


def test_a_difference_in_two_functions_gives_two_flagged_pairs(c: MutantBench) -> None:
    assert [pair.id for pair in c.pairs] == [
        "mutantbench-c:c1",
        "mutantbench-c:c2",
        "mutantbench-c:c3#1",
        "mutantbench-c:c3#2",
    ]
    assert [is_partial(pair) for pair in c.pairs] == [False, False, True, True]
    assert (c.mutants, c.in_two_functions, len(c.pairs)) == (3, 1, 4)
    assert c.pairs[3].mutant == "int twice(int n) { return n << 1; }"


def test_the_two_layouts_of_a_directory_read_alike(tmp_path: Path) -> None:
    write_mutantbench(tmp_path / "flat")
    write_mutantbench(tmp_path / "deep" / "mutantbench")
    assert read_mutantbench(tmp_path / "flat", "c") == read_mutantbench(tmp_path / "deep", "c")


def extra_mutant(difference: str = "", program: str = "Clamp.java", said: str = "true") -> str:
    return (
        f'<mb:mutant#z9> a mb:Mutant ; mb:difference """{difference}""" ; '
        f'mb:equivalence "{said}"^^schema:boolean ; mb:program <mb:program#{program}> .'
    )


GOOD = "@@ -3 +3 @@\n-        if (value < low) {\n+        if (value > low) {\n"
BROKEN = {
    "a diff that does not apply": (
        extra_mutant("@@ -3 +3 @@\n-        if (nothing) {\n+        if (some) {\n"),
        "z9",
    ),
    "a diff past the end": (extra_mutant("@@ -999 +999 @@\n-a\n+b\n"), "z9"),
    "a broken diff": (extra_mutant("@@ what @@\n-a\n+b\n"), "z9"),
    "a diff without hunks": (extra_mutant("no diff at all"), "z9"),
    "an empty diff": (extra_mutant(""), "z9"),
    "a diff that leaves all as it was": (extra_mutant(GOOD.replace(">", "<")), "z9"),
    "a change outside any function": (
        extra_mutant("@@ -1 +1 @@\n-public class Clamp {\n+public class Clip {\n"),
        "z9",
    ),
    "a label that is none": (extra_mutant(GOOD, said="perhaps"), "equivalence must be true or"),
    "a program nobody describes": (extra_mutant(GOOD, "Gone.java"), "fileName of its program"),
    "a program that is not there": (
        program_block("Gone.java", "java") + extra_mutant(GOOD, "Gone.java"),
        "no programs/Gone.java in",
    ),
    "a path that leaves the directory": (
        program_block("../../etc/passwd", "java") + extra_mutant(GOOD, "passwd"),
        "'../../etc/passwd' is not a plain file name",
    ),
    "an absolute path": (
        program_block("/etc/passwd", "java") + extra_mutant(GOOD, "passwd"),
        "'/etc/passwd' is not a plain file name",
    ),
    "a mutant with two differences": (
        extra_mutant(GOOD) + '<mb:mutant#z9> mb:difference "other" .',
        "difference must be given once, found 2",
    ),
    "broken syntax": ('<mb:mutant#z9> a mb:Mutant ; mb:difference """never closed', "Turtle"),
    "an unknown prefix": ("no:prefix a no:Thing .", "not valid Turtle"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_broken_data_is_one_clear_error(tmp_path: Path, kind: str) -> None:
    extra, words = BROKEN[kind]
    write_mutantbench(tmp_path, extra)
    with pytest.raises(DataError, match=r"dataset\.ttl|Gone\.java") as caught:
        read_mutantbench(tmp_path, "java")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_program_that_links_out_of_its_directory_is_not_read(tmp_path: Path) -> None:
    write_mutantbench(tmp_path / "data")
    secret = tmp_path / "secret.java"
    secret.write_text((tmp_path / "data/programs/Clamp.java").read_text())
    (tmp_path / "data/programs/Clamp.java").unlink()
    (tmp_path / "data/programs/Clamp.java").symlink_to(secret)
    with pytest.raises(DataError, match="leads out of"):
        read_mutantbench(tmp_path / "data", "java")


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"@prefix a: <b> .\0", PREFIXES.encode()])
def test_a_file_that_is_no_dataset_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "dataset.ttl").write_bytes(content)
    with pytest.raises(DataError, match=r"dataset\.ttl"):
        read_turtle(tmp_path / "dataset.ttl")


@given(st.data())
def test_damaged_turtle_gives_mutants_or_a_clear_error(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    directory = tmp_path_factory.mktemp("damaged")
    ttl = write_mutantbench(directory)
    text = ttl.read_text()
    start = data.draw(st.integers(0, len(text)))
    length = data.draw(st.integers(0, 40))
    junk = data.draw(st.text("<>\"'\\;,.[]()@#^:_ab1\n", max_size=8))
    ttl.write_text(text[:start] + junk + text[start + length :])
    said = ""
    try:
        assert read_turtle(ttl)
    except DataError as error:
        said = str(error)
    assert "\n" not in said


def test_a_missing_file_says_where_it_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="run `equimut data fetch mutantbench` or pass --from"):
        read_mutantbench(tmp_path, "c")


def test_published_c_meets_the_known_numbers() -> None:
    found = read_mutantbench(shared_file("data"), "c")
    labels = {pair.id.partition("#")[0]: pair.label for pair in found.pairs}
    assert (found.mutants, len(labels), sum(labels.values())) == (1098, 1098, 917)
    assert (found.in_two_functions, len(found.pairs)) == (7, 1105)
    assert len(without_duplicates(found.pairs)) == 1098
    assert found.labelled_both_ways == 1
    assert sum(map(is_partial, found.pairs)) == 14
