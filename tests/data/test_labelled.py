"""Four fields make a pair: the rest is made from the texts, the same wherever it is made."""

import json
from pathlib import Path

import pytest

from equimut.data.labelled import EXAMPLE, LabelledPair, complete_pairs, content_digest
from equimut.data.splitting.split import split
from equimut.data.splitting.validation import unit_of, validation_split
from equimut.data.store import read_pairs
from equimut.errors import DataError
from oracles.datasets.small_data import small_pairs
from oracles.datasets.synthetic_pairs import make_pair

ROWS = [
    {"origin": "f", "mutant": "g", "language": "c", "label": 1},
    {"origin": "f", "mutant": "h", "language": "c", "label": 0},
    {"origin": "k", "mutant": "h", "language": "c", "label": 0},
    {"origin": "f", "mutant": "g", "language": "java", "label": 0},
]


def test_class_ids_go_by_origin_and_ids_by_content_in_any_order() -> None:
    pairs = complete_pairs(ROWS)
    assert [pair.id for pair in pairs] == [content_digest(pair) for pair in pairs]
    first, second, other, elsewhere = (pair.class_id for pair in pairs)
    assert first == second
    assert len({first, other, elsewhere}) == 3
    assert complete_pairs(ROWS[::-1]) == pairs[::-1]
    assert all(pair.class_id < 2**48 for pair in pairs)  # a tensor of 64 bits holds it


def test_a_row_that_stands_there_twice_has_two_ids() -> None:
    one, two = complete_pairs([ROWS[0], ROWS[0]])
    assert two.id == f"{one.id}-2"


def test_what_is_given_is_kept_and_pairs_pass_as_they_are() -> None:
    pair = make_pair(3)
    given = {**ROWS[0], "id": "mine", "class_id": 7, "program": "till", "operators": ("ROR",)}
    found = complete_pairs([pair, LabelledPair.model_validate(given)])
    assert found[0] is pair
    assert found[1].model_dump(include=set(given)) == given


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"label": None}, "field `label`"),
        ({"origin": ""}, "field `origin`"),
        ({"lable": 1}, "field `lable`"),
    ],
)
def test_a_mistake_names_the_row_and_shows_a_right_one(change: dict, words: str) -> None:
    with pytest.raises(DataError) as caught:
        complete_pairs([ROWS[0], {**ROWS[1], **change}])
    assert "row 2" in str(caught.value)
    assert words in str(caught.value)
    assert EXAMPLE in str(caught.value)
    assert complete_pairs([json.loads(EXAMPLE)])


def test_a_file_of_four_fields_is_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    assert read_pairs(path) == complete_pairs(ROWS)
    path.write_text(json.dumps({**ROWS[0], "label": 1, "mutant": None}) + "\n")
    with pytest.raises(DataError, match=r"mine\.jsonl, line 1: field `mutant`.*such as"):
        read_pairs(path)
    del (without := dict(ROWS[0]))["label"]
    path.write_text(json.dumps(without) + "\n")
    with pytest.raises(DataError) as caught:
        read_pairs(path)
    assert "field `label`: Field required; " in str(caught.value)
    assert EXAMPLE in str(caught.value)


def test_the_protocol_all_has_no_test_part_and_validates_on_whole_origins() -> None:
    pairs = small_pairs(origins=10)
    parts = split(pairs, "all")
    assert (parts.train, parts.test, dict(parts.dropped)) == (pairs, (), {})
    assert unit_of("all") == "origins"
    train, held = validation_split(parts.train, 0.2, 0, unit_of("all"))
    assert not {pair.origin for pair in train} & {pair.origin for pair in held}
    with pytest.raises(DataError, match="no pairs"):
        split([], "all")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"mutant": "int f() { return \0; }"}, "field `mutant`: binary data, not source text: NUL"),
        ({"language": "cobol"}, "no grammar for language 'cobol'"),
        (
            {"origin": "x" * 5_242_881},
            "field `origin`: source of 5,242,881 bytes is over the limit",
        ),
        ({"label": None}, "field `label`"),
    ],
)
def test_a_bad_row_of_a_file_is_named_by_its_line(
    change: dict[str, object], words: str, tmp_path: Path
) -> None:
    rows = [*ROWS[:3], {**ROWS[3], **change}]
    path = tmp_path / "own.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(DataError) as caught:
        read_pairs(path)
    assert f"{path}, line 4: " in str(caught.value)
    assert words in str(caught.value)
    with pytest.raises(DataError, match="row 4"):
        complete_pairs(rows)
