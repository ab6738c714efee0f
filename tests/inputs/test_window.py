"""Under `edit` limits the edit is always shown, both sides align, and its places are marked."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import count
from equimut.inputs.encode import EncodedPair, encode_graphs
from equimut.inputs.subtokens import SubTokenGraph
from equimut.inputs.window import EDIT, PAPER, Limits
from oracles.encoders.published_inputs import Row
from oracles.encoders.small_tokenizer import small_subtokenizer
from oracles.encoders.token_graphs import edited_graphs, graph_of

Case = tuple[list[str], list[Row]]
WIDE = Limits(name="wide", window="edit")
LIMITS = [EDIT, WIDE, Limits(name="narrow", max_length=24, nodes=8, window="edit")]


def encoded(origin: SubTokenGraph, mutant: SubTokenGraph, limits: Limits = WIDE) -> EncodedPair:
    return encode_graphs(origin, mutant, special=small_subtokenizer().special, limits=limits)


def edit_by_loops(origin: list[str], mutant: list[str]) -> tuple[int, int, int]:
    """Words before the edit, and where it ends on both sides."""
    before = 0
    while before < min(len(origin), len(mutant)) and origin[before] == mutant[before]:
        before += 1
    origin_end, mutant_end = len(origin), len(mutant)
    while min(origin_end, mutant_end) > before and origin[origin_end - 1] == mutant[mutant_end - 1]:
        origin_end, mutant_end = origin_end - 1, mutant_end - 1
    return before, origin_end, mutant_end


def sides(case: tuple[Case, Case]) -> tuple[SubTokenGraph, SubTokenGraph]:
    (origin, origin_rows), (mutant, mutant_rows) = case
    return graph_of(origin, origin_rows), graph_of(mutant, mutant_rows)


@given(edited_graphs(), st.sampled_from(LIMITS))
@settings(max_examples=count(150, 3000))
def test_two_sides_look_the_same_only_if_their_tokens_are(
    case: tuple[Case, Case], limits: Limits
) -> None:
    pair = encoded(*sides(case), limits)
    same = pair.origin.ids.tolist() == pair.mutant.ids.tolist()
    assert same == (case[0][0] == case[1][0])
    assert max(pair.origin.length, pair.mutant.length) <= limits.max_length


@given(edited_graphs(), st.sampled_from(LIMITS))
@settings(max_examples=count(150, 3000))
def test_an_edit_that_fits_is_shown_and_marked_whole(
    case: tuple[Case, Case], limits: Limits
) -> None:
    (origin_words, _), (mutant_words, _) = case
    origin, mutant = sides(case)
    before, origin_end, mutant_end = edit_by_loops(origin_words, mutant_words)
    pair = encoded(origin, mutant, limits)
    room = limits.code_room(max(origin.node_count, mutant.node_count))
    for graph, end, snippet, (start_place, end_place) in (
        (origin, origin_end, pair.origin, pair.origin_edit),
        (mutant, mutant_end, pair.mutant, pair.mutant_edit),
    ):
        edited = graph.ids[graph.starts[before] : graph.starts[end]].tolist()
        marked = snippet.ids[start_place:end_place].tolist()
        assert 1 <= start_place < end_place <= snippet.token_count
        if not edited:
            assert len(marked) == 1
        elif len(edited) < room // 2:
            other = (mutant if graph is origin else origin).starts
            if other[mutant_end if graph is origin else origin_end] - other[before] < room // 2:
                assert marked == edited


@given(edited_graphs(), st.sampled_from(LIMITS))
@settings(max_examples=count(150, 3000))
def test_both_sides_start_at_the_same_sub_token(case: tuple[Case, Case], limits: Limits) -> None:
    pair = encoded(*sides(case), limits)
    start = pair.origin_edit[0]
    assert pair.mutant_edit[0] == start or (start == pair.origin.token_count - 1)
    common = min(start, pair.mutant_edit[0])
    assert pair.origin.ids[:common].tolist() == pair.mutant.ids[:common].tolist()


@given(edited_graphs(longest=60))
@settings(max_examples=count(100, 1000))
def test_code_that_fits_is_the_same_under_both_presets(case: tuple[Case, Case]) -> None:
    origin, mutant = sides(case)
    room = EDIT.code_room(max(origin.node_count, mutant.node_count))
    around, start = (encoded(origin, mutant, limits) for limits in (EDIT, PAPER))
    if max(len(origin.ids), len(mutant.ids)) <= room:
        nodes = EDIT.max_length - 2 - max(len(origin.ids), len(mutant.ids))
        if max(origin.node_count, mutant.node_count) <= nodes:
            assert around == start


def test_the_edit_stands_in_the_middle_of_long_code() -> None:
    words = ["x"] * 1000
    pair = encoded(graph_of(words, []), graph_of([*words[:500], "y", *words[501:]], []))
    assert pair.origin.token_count == 319
    assert pair.origin_edit == pair.mutant_edit == (159, 160)


def test_an_edit_at_either_end_of_long_code_leaves_no_place_empty() -> None:
    words = ["int", *["x"] * 999]
    for changed in (0, 999):
        mutant = [*words[:changed], "y", *words[changed + 1 :]]
        pair = encoded(graph_of(words, []), graph_of(mutant, []))
        assert pair.origin.token_count == pair.mutant.token_count == 319
        assert pair.origin_edit == ((1, 2) if changed == 0 else (317, 318))


def test_an_addition_marks_the_place_it_is_added_before() -> None:
    words = ["int", "x", "=", "count", ";"]
    pair = encoded(graph_of(words, []), graph_of([*words[:3], "(", "(", *words[3:]], []))
    (place, end) = pair.origin_edit
    assert end == place + 1
    assert pair.origin.ids[place] == small_subtokenizer().split(["a", "count"])[0][1]
    assert pair.mutant_edit == (place, place + 2)


def test_removed_code_at_the_end_marks_the_end() -> None:
    words = ["int", "x", ";", ";"]
    pair = encoded(graph_of(words, []), graph_of(words[:3], []))
    assert pair.mutant_edit == (pair.mutant.token_count - 1, pair.mutant.token_count)


def test_a_difference_deep_in_a_huge_token_is_shown() -> None:
    literal = " ".join(["word"] * 2000)
    origin, mutant = (graph_of(["x", "=", f'"{literal} {end}"', ";"], []) for end in ("a", "b"))
    assert not encoded(origin, mutant).looks_identical
    assert encoded(origin, mutant, PAPER).looks_identical


def test_added_code_that_starts_like_the_next_token_is_told_from_it() -> None:
    """The addition fills the window, and the token after it has the same first sub-tokens."""
    added, following = " ".join(["w"] * 317), " ".join(["w"] * 318)
    words = ["x"] * 1000
    origin, mutant = [*words, following], [*words, added, following]
    pair = encoded(graph_of(origin, []), graph_of(mutant, []))
    assert pair.origin.ids.tolist() != pair.mutant.ids.tolist()


def test_both_sides_have_the_room_that_the_larger_graph_leaves() -> None:
    words = ["x"] * 1000
    rows: list[Row] = [(word, ()) for word in range(400, 464)]
    pair = encoded(graph_of(words, []), graph_of([*words[:500], "y", *words[501:]], rows))
    assert pair.origin.token_count == pair.mutant.token_count == 253 + 2
    assert pair.mutant.node_count == 64


def test_nodes_out_of_sight_do_not_take_the_place_of_shown_ones() -> None:
    """A huge edit stands left of the middle, so nodes out of sight are nearer than shown ones."""
    words = ["x"] * 1000
    mutant = [*words[:400], *["y"] * 400, *words[800:]]
    rows: list[Row] = [(word, ()) for word in (*range(200, 330), *range(550, 585))]
    pair = encoded(graph_of(words, rows), graph_of(mutant, rows))
    assert pair.origin.node_count == 65
    assert (pair.origin.node_spans[:, 1] > 0).sum() == 35


def test_paper_limits_cut_an_edit_off_and_mark_the_cut() -> None:
    words = ["x"] * 1000
    pair = encoded(graph_of(words, []), graph_of([*words[:900], "y", *words[901:]], []), PAPER)
    assert pair.looks_identical
    assert pair.origin_edit == pair.mutant_edit == (318, 319)


def test_nodes_in_the_window_come_first_then_the_nearest() -> None:
    words = ["x"] * 1000
    rows: list[Row] = [(word, (word - 1,)) for word in range(1, 1000)]
    mutant = [*words[:500], "y", *words[501:]]
    pair = encoded(graph_of(words, rows), graph_of(mutant, rows))
    assert pair.origin.length == 320
    spans = pair.origin.node_spans
    assert (spans[:, 0] > 0).all()
    middle = pair.origin_edit[0]
    assert abs(spans[:, 0] - middle).max() <= len(spans) // 2 + 1
    assert (spans[1:, 0] > spans[:-1, 0]).all()


def test_nodes_out_of_sight_fill_places_that_are_left() -> None:
    words = ["x"] * 1000
    rows: list[Row] = [(3, ()), (500, (3,)), (990, (500,))]
    pair = encoded(graph_of(words, rows), graph_of([*words[:500], "y", *words[501:]], rows))
    assert (pair.origin.node_spans[:, 0] > 0).tolist() == [False, True, False]
    assert pair.origin.edges.tolist() == [[1, 0], [2, 1]]


@pytest.mark.parametrize("limits", LIMITS)
def test_equal_snippets_keep_their_start(limits: Limits) -> None:
    graph = graph_of(["int", *["x"] * 1000], [(1000, ())])
    pair = encoded(graph, graph, limits)
    assert pair.looks_identical
    assert pair.origin.ids[1] == graph.ids[0]
    assert pair.origin_edit == (pair.origin.token_count - 1, pair.origin.token_count)
