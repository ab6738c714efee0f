"""The verified benchmark: what the card says is there, and the evidence holds."""

import gzip
import random
import re
from collections import Counter
from functools import cache
from pathlib import Path
from types import CodeType

import pytest
from pydantic import ValidationError

from conftest import FULL, count
from equimut.data.benchmark.build import FIRST_LOOK, build, witness_file
from equimut.data.benchmark.reader import (
    BENCHMARK_LANGUAGES,
    bundled,
    find_bundled,
    origins,
    sample_bundled,
    shipped_file,
    summarise,
)
from equimut.data.pairs import load_pairs
from equimut.data.splitting.split import split
from equimut.data.store import VerifiedPair, write_verified
from equimut.errors import DataError
from equimut.oracle.inputs.literals import from_json
from equimut.oracle.judging import backend_for, judge_mutants, replay
from equimut.storage.jsonl import read_records

LANGUAGES = list(BENCHMARK_LANGUAGES)
CARD = Path(__file__).parents[2] / "src/equimut/data/benchmark/files/README.md"


def sample(pairs: list[VerifiedPair], number: int) -> list[VerifiedPair]:
    """A new sample on every run, told by its seed when a test fails."""
    seed = random.randrange(10**6)
    print(f"sample seed {seed}")
    return random.Random(seed).sample(pairs, min(number, len(pairs)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_is_enough_of_everything(language: str) -> None:
    summary = summarise(language)
    assert len(origins(language)) >= 50
    assert summary.origins == len(origins(language))
    assert summary.mutants >= 3_000
    assert summary.equivalent >= 250
    assert summary.operators >= 30
    assert summary.killed + summary.equivalent == summary.mutants


@pytest.mark.parametrize("language", LANGUAGES)
def test_origins_are_of_the_size_promised(language: str) -> None:
    for origin in origins(language):
        assert 8 <= len(origin.snippet.text.strip().splitlines()) <= 60, origin.name


def test_class_ids_and_ids_are_unique_over_all_languages() -> None:
    pairs = load_pairs("bundled")
    assert len({pair.id for pair in pairs}) == len(pairs)
    by_class = {(pair.class_id, pair.origin) for pair in pairs}
    assert len(by_class) == len({class_id for class_id, _ in by_class})


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_label_rests_on_its_evidence(language: str) -> None:
    for pair in bundled(language):
        evidence = pair.evidence
        assert pair.label == (0 if evidence.tier == "killed" else 1)
        assert (evidence.witness is not None) == (evidence.tier == "killed")
        assert (evidence.proof is not None) == (evidence.tier == "proved")
        if evidence.tier == "unrefuted":
            assert evidence.inputs >= 5_000, pair.id
        assert pair.origin != pair.mutant


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sample_of_witnesses_replays(language: str) -> None:
    killed = [pair for pair in bundled(language) if pair.evidence.tier == "killed"]
    for pair in sample(killed, count(4, 40)):
        assert replay(witness_file(pair)) == pair.evidence.witness, pair.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_witness_fits_the_parameters(language: str) -> None:
    read = cache(backend_for(language).read_signature)
    for pair in bundled(language):
        if pair.evidence.witness is not None:
            file = witness_file(pair)
            signature = read(file.origin_source, file.settings.function)
            arguments = pair.evidence.witness.arguments
            for parameter, value in zip(signature.parameters, arguments, strict=True):
                from_json(parameter.type, value)


@pytest.mark.parametrize("language", ["java", "c"])
def test_a_sample_of_proofs_is_proved_again(language: str) -> None:
    proved = [pair for pair in bundled(language) if pair.evidence.tier == "proved"]
    assert proved, "the sample would be empty"
    for pair in sample(proved, count(2, 20)):
        (verdict,) = judge_mutants(pair.origin, [pair.mutant], language, FIRST_LOOK)
        assert (verdict.tier, verdict.proof) == ("proved", pair.evidence.proof), pair.id


def test_no_python_mutant_could_have_been_proved_by_its_bytecode() -> None:
    """CPython folds constants and little else; a second look at the bytecode finds no proof."""
    for pair in bundled("python"):
        assert pair.evidence.tier != "proved"
        if pair.label == 1:
            assert bytecode(pair.origin) != bytecode(pair.mutant), pair.id


def bytecode(source: str) -> list[tuple[bytes, str]]:
    """Instructions and constants of everything in a source, without line numbers."""
    found, waiting = [], [compile(source, "x", "exec")]
    while waiting:
        code = waiting.pop()
        inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
        plain = [constant for constant in code.co_consts if constant not in inner]
        found.append((code.co_code, repr((plain, code.co_names, code.co_varnames))))
        waiting += inner
    return found


def test_a_sample_shows_every_language_and_only_tiers_it_has() -> None:
    assert sample_bundled(9) == sample_bundled(9)
    assert {pair.language for pair in sample_bundled(3)} == set(LANGUAGES)
    assert {pair.evidence.tier for pair in sample_bundled(9)} == {"killed", "unrefuted", "proved"}


@pytest.mark.parametrize("language", LANGUAGES if FULL else ["java", "python"])  # C: by the command
def test_rebuilding_an_origin_gives_the_identical_rows(language: str, tmp_path: Path) -> None:
    rows = Counter(pair.class_id for pair in bundled(language))
    smallest = min(origins(language), key=lambda origin: rows[origin.class_id])
    built = build(language, tmp_path, jobs=1, names=[smallest.name])
    shipped = tuple(pair for pair in bundled(language) if pair.class_id == smallest.class_id)
    assert built.pairs == shipped
    assert len(list(tmp_path.iterdir())) == 1
    assert build(language, tmp_path, jobs=1, names=[smallest.name]) == built  # from the kept work


@pytest.mark.parametrize("language", LANGUAGES)
def test_packing_is_reversible_and_gives_the_shipped_bytes(language: str, tmp_path: Path) -> None:
    write_verified(tmp_path / "again.jsonl.gz", bundled(language))
    assert (tmp_path / "again.jsonl.gz").read_bytes() == shipped_file(language).read_bytes()


def test_the_card_gives_the_counts_of_the_data() -> None:
    rows = re.findall(r"^\| (\w+) \| ([\d, |]+) \|$", CARD.read_text(), re.M)
    told = {name: [int(n.replace(",", "")) for n in numbers.split("|")] for name, numbers in rows}
    for language in LANGUAGES:
        s = summarise(language)
        assert told[language] == [s.origins, s.mutants, s.killed, s.proved, s.unrefuted]


def test_pairs_can_be_named_by_language() -> None:
    assert {pair.language for pair in load_pairs("bundled:c,python")} == {"c", "python"}
    with pytest.raises(DataError, match="no language 'rust'"):
        load_pairs("bundled:rust")
    assert find_bundled(load_pairs("bundled:c")[0].id).language == "c"
    with pytest.raises(DataError, match="no bundled mutant"):
        find_bundled("java/nothing/0")


def test_grouped_protocols_work_on_it() -> None:
    parts = split(load_pairs("bundled:java"), "by-origin")
    assert not {pair.origin for pair in parts.train} & {pair.origin for pair in parts.test}
    assert parts.test


def test_a_damaged_file_is_one_clear_line(tmp_path: Path) -> None:
    path = tmp_path / "java.jsonl.gz"
    content = shipped_file("java").read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(DataError, match="is not a whole gzip file"):
        list(read_records(path, VerifiedPair))
    path.write_bytes(gzip.compress(b"{}\n"))
    with pytest.raises(DataError, match=r"java\.jsonl\.gz, line 1"):
        list(read_records(path, VerifiedPair))
    with pytest.raises(ValidationError):
        VerifiedPair.model_validate({})


def test_a_survivor_has_no_witness_to_replay() -> None:
    survivor = next(pair for pair in bundled("c") if pair.label == 1)
    with pytest.raises(DataError, match="no witness to replay"):
        witness_file(survivor)
