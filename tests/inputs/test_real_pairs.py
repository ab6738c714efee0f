"""On the published pairs: everything is encoded, as published, and no edit is invisible."""

from functools import cache

import pytest

from conftest import count, shared_file
from equimut.data.published.emd import read_emd
from equimut.data.published.prepare import prepare
from equimut.inputs.encode import encode_graph, encode_graphs
from equimut.inputs.subtokens import SubTokenGraph, read_snippet
from equimut.inputs.window import EDIT, PAPER, Limits
from equimut.records import Pair, Snippet
from oracles.datasets.assert_published import assert_published
from oracles.encoders.published_inputs import published_features
from oracles.encoders.small_tokenizer import small_subtokenizer, small_tokenizer

SPECIAL = small_subtokenizer().special


@cache
def real_pairs(dataset: str) -> tuple[Pair, ...]:
    directory = shared_file("data", "emd").parent
    if dataset == "emd-java":  # the csv files will do; programs and operators are not asked for
        return read_emd(directory)[:: count(3, 1)]
    return prepare(dataset, directory).pairs[:: count(3, 1)]


@cache
def graph(text: str, language: str) -> SubTokenGraph:
    return read_snippet(Snippet(text=text, language=language), small_subtokenizer())


def sides(pair: Pair) -> tuple[SubTokenGraph, SubTokenGraph]:
    return graph(pair.origin, pair.language), graph(pair.mutant, pair.language)


def look_identical(dataset: str, limits: Limits) -> dict[str, int]:
    """By part of the data set, pairs that differ in their tokens but not in what is shown."""
    found: dict[str, int] = {}
    for pair in real_pairs(dataset):
        origin, mutant = sides(pair)
        encoded = encode_graphs(origin, mutant, special=SPECIAL, limits=limits)
        # A change of the graph alone does not make an edit visible.
        same = encoded.origin.ids.tolist() == encoded.mutant.ids.tolist()
        found[pair.split] = found.get(pair.split, 0) + (same and origin.words != mutant.words)
    return found


def test_java_edits_are_cut_off_by_paper_limits_and_never_by_edit_limits() -> None:
    assert len({text for p in real_pairs("emd-java") for text in (p.origin, p.mutant)}) > count(
        800, 2500
    )
    cut_off = look_identical("emd-java", PAPER)
    print(f"pairs whose edit `paper` limits cut off: {cut_off}")
    assert cut_off["test"] > count(6, 20)
    assert cut_off["train"] > count(6, 20)
    assert look_identical("emd-java", EDIT) == {"train": 0, "test": 0}


def test_c_edits_are_never_cut_off_by_edit_limits() -> None:
    cut_off = look_identical("mutantbench-c", PAPER)
    print(f"pairs whose edit `paper` limits cut off: {cut_off}")
    assert sum(cut_off.values()) > 0
    assert sum(look_identical("mutantbench-c", EDIT).values()) == 0


@pytest.mark.parametrize("dataset", ["emd-java", "mutantbench-c"])
def test_real_functions_are_encoded_as_published(dataset: str) -> None:
    pairs = real_pairs(dataset)
    for pair in pairs[:: max(1, len(pairs) // count(25, 400))]:
        for whole in sides(pair):
            rows = list(zip(whole.node_words.tolist(), whole.sources, strict=True))
            expected = published_features(whole.words, rows, small_tokenizer())
            assert_published(encode_graph(whole, SPECIAL, PAPER), expected)
