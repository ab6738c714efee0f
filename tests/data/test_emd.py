"""The csv files become pairs; programs and operators come from MutantBench, one to one."""

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from conftest import shared_file
from equimut.data.published.emd import read_emd, with_programs
from equimut.data.published.mutantbench import read_mutantbench
from equimut.data.published.prepare import prepare
from equimut.data.splitting.split import split
from equimut.errors import DataError
from equimut.records import Pair
from oracles.datasets.synthetic_pairs import make_pair
from oracles.datasets.tiny_published import SPANS, write_emd, write_mutantbench


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    write_emd(tmp_path / "emd")
    write_mutantbench(tmp_path / "mutantbench")
    return tmp_path


@cache
def published(directory: Path) -> tuple[tuple[Pair, ...], tuple[Pair, ...]]:
    """The csv's pairs with their programs, and the Java pairs rebuilt from the Turtle file."""
    known = read_mutantbench(directory, "java").pairs
    return with_programs(read_emd(directory), known), known


def test_rows_keep_their_order_their_split_and_their_origin_s_id(directory: Path) -> None:
    pairs = read_emd(directory)
    assert [pair.id for pair in pairs] == [f"emd-java:{number}" for number in range(7)]
    assert [pair.split for pair in pairs] == ["train"] * 3 + ["test"] * 4
    assert [pair.class_id for pair in pairs] == [10, 30, 10, 10, 60, 30, 10]
    assert [pair.label for pair in pairs] == [1, 0, 1, 0, 0, 1, 1]


def test_program_and_operators_come_from_the_turtle_file(directory: Path) -> None:
    pairs = prepare("emd-java", directory).pairs
    # a1 stands three times in the csv and once in the Turtle file: the first row gets it.
    assert [pair.program for pair in pairs] == [
        "Clamp.java",
        "Steps.java",
        "",
        "Clamp.java",
        "Clamp.java",
        "Steps.java",
        "",
    ]
    assert pairs[1].operators == ("AOIU", "CR")


def test_without_the_turtle_file_both_stay_empty_and_by_program_is_refused(tmp_path: Path) -> None:
    write_emd(tmp_path)
    prepared = prepare("emd-java", tmp_path)
    assert not any(pair.program or pair.operators for pair in prepared.pairs)
    assert any("dataset.ttl is not at hand" in remark for remark in prepared.remarks)
    with pytest.raises(DataError, match=r"by-program needs the program.*dataset\.ttl"):
        split(prepared.pairs, "by-program")


def test_files_that_are_not_the_published_ones_are_remarked_on(directory: Path) -> None:
    remarks = " ".join(prepare("emd-java", directory).remarks)
    assert "not as published" in remarks
    assert "Mutant_A_hierarchical.csv" in remarks
    assert "Clamp.java" not in remarks  # a file of our own has no pinned sum to miss


def test_equal_pairs_are_matched_first_to_first() -> None:
    known = [make_pair(n, mutant="m", program=f"P{n}", operators=(f"O{n}",)) for n in (0, 1)]
    bare = [make_pair(n, mutant="m  \n", program="") for n in (5, 6, 7)]
    known = [pair.model_copy(update={"mutant": "m\n"}) for pair in known]
    assert [pair.program for pair in with_programs(bare, known)] == ["P0", "P1", ""]


def edit_csv(directory: Path, name: str, change: tuple[str, str]) -> None:
    path = directory / "emd" / name
    text = path.read_text()
    assert change[0] in text
    path.write_text(text.replace(*change, 1))


CODE, TRAIN = "MutantBench_code_db_java.csv", "Mutant_A_hierarchical.csv"


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        (TRAIN, ("label", "verdict"), "no column label"),
        (TRAIN, (",id,code_id_1", ",id,origin"), "no column code_id_1"),
        (CODE, ("id,code", "id,text"), "no column code"),
        (TRAIN, ("0,0,10,20,1", "0,0,10,20,2"), "line 2: column label must be 0 or 1, found '2'"),
        (TRAIN, ("0,0,10,20,1", "0,0,ten,20,1"), "line 2: column code_id_1 must be a number"),
        (TRAIN, ("0,0,10,20,1", "0,-1,10,20,1"), "line 2: column id must be a number"),
        (TRAIN, ("0,0,10,20,1", "0,0,10,99,1"), "line 2: MutantBench_code_db_java.csv has no code"),
        (TRAIN, ("0,0,10,20,1", "0,0,10,20"), "line 2: the row has not as many fields"),
        (TRAIN, ("0,0,10,20,1", "0,0,10,20,1,1"), "line 2: the row has not as many fields"),
        (TRAIN, ("0,0,10,20,1", "0,0,10\0,20,1"), "line 2: holds a NUL byte"),
        (CODE, ("20,", "10,"), "the id 10 occurs twice"),
        (CODE, ('10,"', "10,"), "line"),
    ],
)
def test_a_bad_csv_is_one_clear_error(
    directory: Path, name: str, change: tuple[str, str], words: str
) -> None:
    edit_csv(directory, name, change)
    with pytest.raises(DataError) as caught:
        read_emd(directory)
    assert words in str(caught.value)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_csv_cut_in_the_middle_of_a_method_is_an_error(directory: Path) -> None:
    path = directory / "emd" / CODE
    path.write_bytes(path.read_bytes()[:60])
    with pytest.raises(DataError, match="not valid csv"):
        read_emd(directory)


def test_a_csv_that_is_not_text_is_an_error(directory: Path) -> None:
    (directory / "emd" / TRAIN).write_bytes(b"\x89PNG\xff\xff")
    with pytest.raises(DataError, match="not UTF-8"):
        read_emd(directory)


def test_a_missing_csv_is_named(directory: Path) -> None:
    (directory / "emd" / TRAIN).unlink()
    with pytest.raises(DataError, match=f"no {TRAIN} in .*equimut data fetch emd"):
        read_emd(directory)


def test_an_unknown_name_or_directory_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="known: emd-java, mutantbench-java, mutantbench-c"):
        prepare("emd-c", tmp_path)
    with pytest.raises(DataError, match="is not a directory; run `equimut data fetch`"):
        prepare("emd-java", tmp_path / "gone")


def test_the_tiny_csv_and_the_tiny_turtle_tell_of_the_same_methods(directory: Path) -> None:
    known = {pair.id.rpartition(":")[2] for pair in read_mutantbench(directory, "java").pairs}
    assert known == set(SPANS)


def test_published_java_rebuilt_from_the_turtle_file_matches_the_csv_on_every_pair() -> None:
    def said(pair: Pair) -> tuple[str, str, int]:
        origin, mutant = (
            "\n".join(line.rstrip() for line in text.split("\n"))
            for text in (pair.origin, pair.mutant)
        )
        return origin, mutant, pair.label

    pairs, known = published(shared_file("data"))
    assert len(pairs) == len(known) == 3302
    assert Counter(map(said, pairs)) == Counter(map(said, known))


def test_published_java_has_the_known_origins_programs_and_operators() -> None:
    pairs, known = published(shared_file("data"))
    assert len({pair.class_id for pair in pairs}) == len({pair.origin for pair in pairs}) == 53
    assert {1408, 2001} <= {pair.class_id for pair in pairs}
    assert len({pair.program for pair in pairs}) == 19
    assert "" not in {pair.program for pair in pairs}
    assert Counter(p.operators for p in pairs) == Counter(p.operators for p in known)


def test_no_published_java_program_is_in_both_parts() -> None:
    pairs, _ = published(shared_file("data"))
    for fold in range(5):
        parts = split(pairs, "by-program", fold)
        assert not {pair.program for pair in parts.train} & {pair.program for pair in parts.test}
        assert not {pair.origin for pair in parts.train} & {pair.origin for pair in parts.test}
        assert not {p.class_id for p in parts.train} & {p.class_id for p in parts.test}
        assert {pair.label for pair in parts.test} == {0, 1}
