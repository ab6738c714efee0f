"""A corpus: the same bytes from the same files, without copies and without benchmark programs."""

import random
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from equimut.data.benchmark.reader import origins
from equimut.data.store import write_pairs
from equimut.errors import DataError
from equimut.pretraining.corpus import build as corpus_build
from equimut.pretraining.corpus.build import build_corpus
from equimut.pretraining.corpus.exclusions import Exclusions, exclusions, plain_name
from equimut.pretraining.corpus.sources import SourceFile, files_below
from equimut.pretraining.corpus.store import PARTS, Corpus, CorpusIndex, part_of
from equimut.records import Pair
from oracles.datasets.corpus_sources import python_function, write_tree


@cache
def bundled_only() -> Exclusions:
    return exclusions([])


def built(root: Path, out: Path, *, language: str = "python", **options: object) -> CorpusIndex:
    files = list(files_below(root, language, "made"))
    excluded = options.pop("excluded", bundled_only())
    return build_corpus(
        files,
        [],
        out,
        work=out / "pieces",
        excluded=excluded,  # type: ignore[arg-type]
        jobs=1,
        **options,  # type: ignore[arg-type]
    )


def in_process(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Make pieces in this process, and count the files that were read for each."""
    made: list[int] = []

    def make_pieces(files: list[SourceFile], work: Path, jobs: int, progress: object) -> list[Path]:
        paths = []
        for part in corpus_build.chunks(files, corpus_build.PIECE_BYTES):
            path = work / f"{corpus_build._digest(part)}.npz"
            if not path.exists():
                corpus_build.make_piece(part, path)
                made.append(len(part))
            paths.append(path)
        return paths

    monkeypatch.setattr(corpus_build, "make_pieces", make_pieces)
    return made


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """A corpus of a few hundred files, made by two processes."""
    root = write_tree(tmp_path_factory.mktemp("sources") / "made", files=200, functions=2)
    out = tmp_path_factory.mktemp("corpus")
    files = list(files_below(root, "python", "made"))
    build_corpus(files, [], out, work=out / "pieces", excluded=bundled_only(), jobs=2)
    return Corpus(out)


def test_every_function_is_in_one_part_and_files_stay_whole(big: Corpus) -> None:
    both = {part: list(big.functions(part)) for part in PARTS}
    names = Counter(each.name for functions in both.values() for each in functions)
    assert len(names) > 390
    assert set(names.values()) == {1}
    for part, functions in both.items():
        assert len(functions) == big.count(part) > 0
        assert {part_of(each.package, each.path) for each in functions} == {part}
    assert 0.001 < len(both["held-out"]) / len(names) < 0.03


def test_about_one_file_in_a_hundred_is_held_out() -> None:
    held = sum(part_of("p", f"file{number}") == "held-out" for number in range(20_000))
    assert 150 < held < 250


def test_epoch_is_a_permutation_that_goes_on_from_any_position(big: Corpus) -> None:
    whole = [each.name for each in big.shuffled(seed=3, epoch=1)]
    assert sorted(whole) == sorted(each.name for each in big.functions())
    for start in (0, 1, 150, len(whole)):
        resumed = Corpus(big.directory).shuffled(seed=3, epoch=1, start=start)
        assert [each.name for each in resumed] == whole[start:]
    assert whole != [each.name for each in big.shuffled(seed=3, epoch=2)]
    assert whole != [each.name for each in big.shuffled(seed=4, epoch=1)]


def test_first_functions_of_a_language_come_from_everywhere(big: Corpus) -> None:
    first = list(big.functions(per_language=100))
    assert len(first) == 100
    assert len({each.path for each in first}) > 60


def test_same_files_give_the_same_bytes_with_one_process_or_two(
    big: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_process(monkeypatch)
    root = write_tree(tmp_path / "made", files=200, functions=2)
    index = built(root, tmp_path / "out")
    assert index == big.index  # digests of the shards included


def test_stopped_build_makes_only_the_missing_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = in_process(monkeypatch)
    monkeypatch.setattr(corpus_build, "PIECE_BYTES", 1500)
    root = write_tree(tmp_path / "made", files=12, functions=2)
    index = built(root, tmp_path / "out")
    assert len(made) > 3
    gone = sorted((tmp_path / "out" / "pieces").iterdir())[1]
    gone.unlink()
    made.clear()
    assert built(root, tmp_path / "out") == index
    assert len(made) == 1
    assert gone.exists()
    first = root / "module_0.py"
    first.write_text(first.read_text().replace("work_0_0", "walk_0_0"))
    made.clear()
    assert built(root, tmp_path / "out") != index
    assert len(made) == 1


def test_copies_with_small_changes_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_process(monkeypatch)
    root = tmp_path / "made"
    root.mkdir()
    text = python_function(random.Random(1), "original")
    (root / "a.py").write_text(text)
    (root / "b.py").write_text("# copied\n" + text.replace("original", "copied"))
    (root / "c.py").write_text(python_function(random.Random(2), "other"))
    index = built(root, tmp_path / "out")
    assert index.removed["python"] == {"near-duplicate": 1}
    names = {each.name for part in PARTS for each in Corpus(tmp_path / "out").functions(part)}
    assert names == {"original", "other"}


def test_origins_of_the_bundled_benchmark_are_never_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_process(monkeypatch)
    root = tmp_path / "made"
    root.mkdir()
    known = origins("python")
    for number, origin in enumerate(known):
        renamed = origin.snippet.text.replace(origin.name, f"renamed_{number}")
        (root / f"a{number}.py").write_text(renamed)
    same_name = "".join(part.capitalize() for part in known[0].name.split("_"))
    (root / "b.py").write_text(python_function(random.Random(3), same_name))
    (root / "c.py").write_text(python_function(random.Random(4), "innocent"))
    index = built(root, tmp_path / "out")
    names = [each.name for part in PARTS for each in Corpus(tmp_path / "out").functions(part)]
    assert names == ["innocent"]
    removed = index.removed["python"]
    assert removed["excluded: name of a benchmark's origin"] >= 1
    assert removed["excluded: like a benchmark's program"] > 0.9 * len(known)


@pytest.mark.parametrize("given", ["pairs", "source", "directory"])
def test_excluded_programs_are_not_in_it(
    given: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_process(monkeypatch)
    root = write_tree(tmp_path / "made", files=1, functions=3)
    secret = python_function(random.Random(9), "secret")
    (root / "z.py").write_text(secret)
    edited = secret.replace("secret", "published").replace("+", "-")
    held = tmp_path / "held"
    held.mkdir()
    if given == "pairs":
        pair = Pair(
            id="1",
            source="s",
            language="python",
            class_id=0,
            program="p",
            operators=(),
            origin=edited,
            mutant="",
            label=0,
            split="",
        )
        path = held / "pairs.jsonl"
        write_pairs(path, [pair])
    else:
        (held / "program.py").write_text(edited)
        path = held if given == "directory" else held / "program.py"
    built(root, tmp_path / "with")
    built(root, tmp_path / "without", excluded=exclusions([path]))
    names = [
        {each.name for part in PARTS for each in Corpus(tmp_path / out).functions(part)}
        for out in ("with", "without")
    ]
    assert names[0] - names[1] == {"secret"}
    assert len(names[1]) == 3


def test_limit_keeps_a_part_of_the_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_process(monkeypatch)
    root = write_tree(tmp_path / "made", files=10, functions=2)
    all_of_it, some = tmp_path / "all", tmp_path / "some"
    built(root, all_of_it)
    index = built(root, some, limit=15)
    assert index.removed["python"]["over the limit"] == 5
    whole = {each.text for part in PARTS for each in Corpus(all_of_it).functions(part)}
    kept = {each.text for part in PARTS for each in Corpus(some).functions(part)}
    assert len(kept) == 15
    assert kept < whole


def test_one_of_several_packages_cannot_outweigh_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_process(monkeypatch)
    monkeypatch.setattr(corpus_build, "PER_PACKAGE", 10)
    large = list(files_below(write_tree(tmp_path / "a", files=6), "python", "large"))
    small = list(files_below(write_tree(tmp_path / "b", files=2, seed=1), "python", "small"))
    out, work = tmp_path / "out", tmp_path / "work"
    build_corpus([*large, *small], [], out, work=work, excluded=bundled_only(), jobs=1)
    taken = Counter(each.package for part in PARTS for each in Corpus(out).functions(part))
    assert taken == {"large": 10, "small": 8}


def test_damaged_corpus_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_process(monkeypatch)
    with pytest.raises(DataError, match="corpus build"):
        Corpus(tmp_path / "out").count()
    index = built(write_tree(tmp_path / "made", files=2), tmp_path / "out")
    shard = tmp_path / "out" / index.shards[0].name
    shard.write_bytes(shard.read_bytes()[:-1])
    with pytest.raises(DataError, match="not what the index says"):
        list(Corpus(tmp_path / "out").functions())
    with pytest.raises(DataError, match="has no java; it has python"):
        list(Corpus(tmp_path / "out").functions(languages=["java"]))


def test_names_are_compared_without_their_spelling() -> None:
    assert {plain_name(name) for name in ("binarySearch", "binary_search", "BINARY_SEARCH")} == {
        "binarysearch"
    }
