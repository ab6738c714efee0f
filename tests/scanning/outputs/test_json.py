"""`--format json` is complete, fits the schema that is shipped with it, and streams."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equimut.scanning.outputs import FORMATS, OutputError, write_output
from equimut.scanning.outputs.json_format import SCHEMA, pieces
from oracles.scans.scan_results import RANGES, example_result, reported, scan_result, verdict


def document(**fields: Any) -> dict[str, Any]:
    return json.loads("".join(pieces(example_result(**fields))))


def test_the_document_fits_its_schema() -> None:
    schema = json.loads(SCHEMA.read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    jsonschema.validate(document(), schema)
    jsonschema.validate(document(counting_from=None, model=""), schema)


@pytest.mark.parametrize(
    ("path", "wrong"),
    [
        (("version",), 2),
        (("scores", "as_reported"), 1.5),
        (("mutants", 0, "tier"), "guessed"),
        (("mutants", 0, "key"), "not a key"),
        (("mutants", 0, "change", "start_line"), "9"),
        (("mutants", 0, "finding"), "fine"),
    ],
)
def test_the_schema_refuses_what_is_wrong(path: tuple[str | int, ...], wrong: object) -> None:
    given = document()
    inner: Any = given
    for part in path[:-1]:
        inner = inner[part]
    assert path[-1] in inner if isinstance(inner, dict) else True
    inner[path[-1]] = wrong
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(given, json.loads(SCHEMA.read_text()))


def test_the_schema_knows_every_field() -> None:
    """A field that is added must be documented."""
    schema = json.loads(SCHEMA.read_text())
    given = document()
    assert list(schema["properties"]) == list(given)
    fields = schema["definitions"]["mutant"]["properties"]
    assert set(fields) == set(given["mutants"][0])
    assert set(fields["change"]["properties"]) == set(given["mutants"][0]["change"])
    assert set(fields["identity"]["properties"]) == set(given["mutants"][0]["identity"])
    assert set(fields["nearest"]["properties"]) == set(given["mutants"][0]["nearest"])


def test_what_is_written_is_what_was_found() -> None:
    result = example_result()
    given = document()
    assert given["scores"] == {
        "detected": 30,
        "undetected": 14,
        "equivalent": 3,
        "as_reported": 30 / 44,
        "without_equivalents": 30 / 41,
        "equivalents_as_killed": 33 / 44,
    }
    check = {"judged": 30, "called_equivalent": 1, "undecided": 0, "would_count": 0, "proved": 0}
    assert given["killed_check"] == check
    assert given["analysed"] == 12
    for row, found in zip(given["mutants"], result.verdicts(), strict=True):
        assert row["index"] == found.mutant.index
        assert (row["verdict"], row["tier"]) == (found.word, found.tier)
        assert row["key"] == (found.key.text if found.key else None)
        change = found.mutant.change
        assert row["change"] == (change.model_dump() if change else None)
    tiers = {(row["tier"], row["verdict"]): row["mutants"] for row in given["verdicts"]}
    assert tiers == dict(result.tiers)


@given(st.text(max_size=60))
def test_any_text_of_a_report_comes_back(text: str) -> None:
    mutant = reported(0, RANGES, "low <= high", "low < high", description=text, operator=text)
    result = scan_result([verdict(mutant, "unknown", "unknown", reason=text)])
    row = json.loads("".join(pieces(result)))["mutants"][0]
    assert (row["description"], row["operator"], row["reason"]) == (text, text, text)


def test_a_scan_without_verdicts_is_a_document_too() -> None:
    given = json.loads("".join(pieces(scan_result([]))))
    jsonschema.validate(given, json.loads(SCHEMA.read_text()))
    assert given["mutants"] == []
    assert given["scores"]["as_reported"] is None


def test_verdicts_are_asked_for_one_at_a_time() -> None:
    asked = []
    result = example_result()

    def read() -> Any:
        for each in result.verdicts():
            asked.append(each.mutant.index)
            yield each

    stream = pieces(example_result(read=read))
    while '"index": 1,' not in next(stream):
        pass
    assert asked == [0, 1]


@pytest.mark.parametrize("format", FORMATS)
def test_a_failure_leaves_the_old_file_as_it_was(tmp_path: Path, format: str) -> None:
    out = tmp_path / "out"
    out.write_text("old")

    def read() -> Any:
        yield from list(example_result().verdicts())[:3]
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        write_output(example_result(read=read), format, out)
    assert out.read_text() == "old"
    assert list(tmp_path.iterdir()) == [out]


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(OutputError, match="'pdf'; known: text, json"):
        write_output(example_result(), "pdf")


def test_standard_output_gets_the_same_bytes(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    write_output(example_result(), "json", tmp_path / "a.json")
    write_output(example_result(), "json")
    assert capsysbinary.readouterr().out == (tmp_path / "a.json").read_bytes()
