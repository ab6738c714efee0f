"""The presets leave the places the published conversion leaves; senseless limits are refused."""

import pytest
from pydantic import ValidationError

from equimut.errors import EquimutError
from equimut.inputs.window import EDIT, PAPER, Limits, preset


@pytest.mark.parametrize(("nodes", "room"), [(0, 317), (1, 316), (64, 253), (65, 253), (999, 253)])
def test_paper_leaves_code_what_nodes_do_not_take(nodes: int, room: int) -> None:
    assert PAPER.code_room(nodes) == room


def test_code_is_never_longer_than_the_positions_of_the_encoder() -> None:
    assert PAPER.model_copy(update={"max_length": 1000}).code_room(10) == 509


def test_presets_are_found_by_name() -> None:
    assert preset("paper") == PAPER
    assert preset("edit") == EDIT
    assert preset("edit", max_length=200).max_length == 200
    with pytest.raises(EquimutError, match=r"'edti'.*paper, edit"):
        preset("edti")


@pytest.mark.parametrize("wrong", [{"max_length": 67}, {"code": 0}, {"nodes": -1}, {"lenght": 3}])
def test_limits_without_room_for_code_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValidationError):
        Limits(**({"name": "mine", "window": "edit"} | wrong))
