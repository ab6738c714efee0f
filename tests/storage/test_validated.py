"""What is wrong with a record, in one line."""

from pathlib import Path
from typing import Annotated

import pytest
from pydantic import Field, ValidationError, model_validator

from equimut.errors import DataError
from equimut.records import Record
from equimut.storage.jsonl import explained, first_fault, read_document, validated


class Inner(Record):
    """A record within a record."""

    margin: float = 0.0


class Outer(Record):
    """A record of the tests."""

    number: Annotated[int, Field(alias="the-number", ge=0)]
    inner: Inner = Inner()
    many: tuple[Inner, ...] = ()

    @model_validator(mode="after")
    def _not_seven(self) -> "Outer":
        if self.number == 7:
            raise ValueError("seven is taken")
        return self


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({"the-number": -1}, "f: `the-number`: Input should be greater than or equal to 0"),
        ({"the-number": 7}, "f: seven is taken"),
        ({"the-number": "x", "inner": {"margin": "y"}}, "(and 1 more)"),
        ({"the-number": 1, "no": 1}, "f: no option `no`; there are the-number, inner, many"),
        ({"the-number": 1, "inner": {"no": 1}}, "f: no option `inner.no`; there are margin"),
        ({"the-number": 1, "many": [{"no": 1}]}, "f: `many.0.no`: Extra inputs"),
        ("[]", "f: "),
        (b"{", "f: Invalid JSON"),
    ],
)
def test_a_fault_is_one_line_with_its_place(content: object, words: str) -> None:
    with pytest.raises(DataError) as caught:
        validated(Outer, content, "f", "mend it", field="option")  # type: ignore[arg-type]
    assert words in str(caught.value)
    assert str(caught.value).endswith("; mend it")
    assert "\n" not in str(caught.value)


def test_the_first_fault_has_a_place_and_a_text() -> None:
    with pytest.raises(ValidationError) as caught:
        Outer.model_validate({"the-number": 1, "many": [{}, {"margin": "x"}]})
    place, fault = first_fault(caught.value)
    assert place == "many.1.margin"
    assert explained(caught.value) == f"`{place}`: {fault}"


def test_strict_takes_no_text_for_a_number() -> None:
    assert validated(Outer, '{"the-number": "3"}', "f").number == 3
    with pytest.raises(DataError, match="the-number"):
        validated(Outer, '{"the-number": "3"}', "f", strict=True)


def test_a_document_is_named(tmp_path: Path) -> None:
    path = tmp_path / "it.json"
    path.write_text('{"the-number": 3}')
    assert read_document(path, Outer).number == 3
    path.write_text("{}")
    with pytest.raises(DataError, match=r"it\.json: `the-number`: Field required"):
        read_document(path, Outer)
