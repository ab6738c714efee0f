"""A real (tiny) detector in a scan: its own judgements, and the labelled example most alike."""

import json
from pathlib import Path

import pytest
import torch

from equimut.data.benchmark.reader import bundled
from equimut.errors import DataError
from equimut.inputs.edit_features.edit import find_edit, kind_of_change
from equimut.models.detector import Detector
from equimut.models.judging import judge
from equimut.models.settings import Calibration, Provenance, find_model
from equimut.mutation.identity import change_in_context
from equimut.records import Pair, Query
from equimut.reports.reported import read_report
from equimut.scanning.evidence.model import (
    MOST_BYTES,
    NEAR,
    STATES,
    TEXTS,
    Example,
    Examples,
    build_examples,
    example_kind,
    predict_pairs,
)
from equimut.scanning.pipeline import local_predict, scanned
from oracles.command import call_equimut
from oracles.encoders.tiny_encoder import save_tiny_encoder
from oracles.scans.scan_project import java_report, request


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A calibrated detector on disk, with examples beside it."""
    folder = tmp_path_factory.mktemp("detector")
    save_tiny_encoder(folder / "encoder", layers=1, hidden=16)
    detector = Detector.from_encoder(folder / "encoder").eval()
    detector.settings = detector.settings.model_copy(
        update={
            "calibration": Calibration(rows=10),
            "provenance": Provenance(languages=("java", "python")),
        }
    )
    detector.save_pretrained(folder / "model")
    build_examples(detector, pairs()).save(folder / "model")
    return folder / "model"


def pairs() -> list[Pair]:
    """Some labelled pairs of two languages."""
    return [
        pair.without_evidence()
        for language in ("java", "python")
        for pair in bundled(language)[:60]
    ]


def asked(pair: Pair) -> Query:
    return Query(origin=pair.origin, mutant=pair.mutant, language=pair.language)


def test_a_known_example_is_nearest_to_itself(saved: Path) -> None:
    detector, examples = Detector.from_pretrained(saved), Examples.load(saved)
    assert examples is not None
    known = pairs()[::7]
    found = list(predict_pairs(detector, [asked(pair) for pair in known], examples))
    shown = 0
    for said in found:
        if said.probability is None:
            continue
        if said.nearest is None:
            continue  # it has a twin of another kind, or was cut
        shown += 1
        assert said.nearest.similarity == pytest.approx(1, abs=2e-3)  # kept in half precision
    assert shown > len(known) // 2
    sources = {pair.language: pair.source for pair in known}
    assert {said.nearest.source.split(":")[0] for said in found if said.nearest} <= set(
        sources.values()
    )


def test_the_nearest_is_the_one_a_plain_loop_finds(saved: Path) -> None:
    examples = Examples.load(saved)
    assert examples is not None
    torch.manual_seed(1)
    kinds = [find_edit(pair).kind for pair in pairs()]
    shown = hidden = 0
    for pair, kind in zip(pairs(), kinds, strict=True):
        # Near some example, but not the same as any.
        state = examples.states[shown % len(examples.texts)] + 0.02 * torch.randn(16).numpy()
        (found,) = examples.nearest(state[None], [asked(pair)])
        scores = [
            (float(torch.cosine_similarity(*map(torch.from_numpy, (state, other)), dim=0)), -number)
            for number, other in enumerate(examples.states)
            if examples.texts[number].language == pair.language
            and example_kind(examples.texts[number]) == kind
        ]
        best, _ = max(scores, default=(-1.0, 0))
        if best < NEAR:
            hidden += 1
            assert found is None
            continue
        shown += 1
        assert found is not None
        assert found.similarity == pytest.approx(best, abs=1e-5)
        ties = {-number for value, number in scores if value > best - 1e-6}
        assert found.change in {examples.texts[number].change for number in ties}
    assert shown > 5
    assert hidden > 5


def test_the_kind_of_an_example_is_that_of_the_pair_it_was_made_of(saved: Path) -> None:
    examples = Examples.load(saved)
    assert examples is not None
    for pair in pairs():
        texts = (pair.origin, pair.mutant, pair.language)
        assert kind_of_change(*texts) == find_edit(pair).kind
        change = change_in_context(*texts)
        made = Example(language=pair.language, change=change, label=0, source="")
        if change.count(" -> ") == 1:
            assert example_kind(made) == find_edit(pair).kind
    cut = Example(language="java", change="a < b -> a <= ...", label=0, source="")
    both = Example(language="java", change="x -> y < 1 -> x -> y <= 1", label=0, source="")
    assert example_kind(cut) is None
    assert example_kind(both) is None  # which arrow is the change's own?


def test_no_example_is_shown_that_is_far_or_of_another_kind(saved: Path) -> None:
    examples = Examples.load(saved)
    assert examples is not None
    known = next(text for text in examples.texts if example_kind(text) is not None)
    state = examples.states[examples.texts.index(known)]
    before, _, after = known.change.partition(" -> ")
    same = Query(origin=before, mutant=after, language=known.language)
    other = Query(origin="a = b", mutant="a = c.d(e)[f]", language=known.language)
    (found,) = examples.nearest(state[None], [same])
    assert found is not None
    assert examples.nearest(state[None], [other]) == [None]
    assert examples.nearest(-state[None], [same]) == [None]


def test_predictions_are_the_detectors_own(saved: Path) -> None:
    detector = Detector.from_pretrained(saved)
    questions = [asked(pair) for pair in pairs()[:20]]
    questions.append(Query(origin="int f() { return 1; }", mutant="", language="c"))
    questions.append(Query(origin="def f(:", mutant="def f(a):", language="python"))
    found = list(local_predict(saved)(iter(questions)))
    for said, judgement in zip(found, judge(detector, questions), strict=True):
        assert said.probability == pytest.approx(judgement.probability, abs=1e-6)
        assert (said.probability is None) == bool(said.reason)
    assert "not on c" in found[-2].reason


def test_an_origin_is_encoded_once_however_small_the_chunks(
    saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    detector, examples = Detector.from_pretrained(saved), Examples.load(saved)
    origin = "int f(int a, int b) { return a + b; }"
    queries = [
        Query(origin=origin, mutant=origin.replace("+", sign), language="java")
        for sign in ("-", "*", "/", "%", "&", "|")
    ]
    whole = list(predict_pairs(detector, queries, examples))
    sequences: list[int] = []
    detector.encoder.register_forward_pre_hook(
        lambda _, inputs: sequences.append(len(inputs[0].input_ids))
    )
    monkeypatch.setattr("equimut.scanning.evidence.model.PAIRS_AT_ONCE", 2)
    parts = list(predict_pairs(detector, iter(queries), examples))
    assert len(sequences) == 3
    assert sum(sequences) == 1 + len(queries)
    for one, other in zip(whole, parts, strict=True):
        assert one.probability == pytest.approx(other.probability, abs=1e-6)
        assert (one.nearest, one.supports, one.opposes) == (
            other.nearest, other.supports, other.opposes,
        )  # fmt: skip


def test_examples_fit_into_their_place(saved: Path) -> None:
    detector = Detector.from_pretrained(saved)
    most = 10
    few = build_examples(detector, pairs())
    assert {text.language for text in few.texts} == {"java", "python"}
    assert {text.label for text in few.texts} == {0, 1}
    assert few.states.shape[0] * few.states.shape[1] * 2 <= MOST_BYTES
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("equimut.scanning.evidence.model.MOST_BYTES", most * 2 * 16)
        fewer = build_examples(detector, pairs())
    assert 4 <= len(fewer.texts) <= most
    assert {text.label for text in fewer.texts} == {0, 1}


def test_without_examples_there_is_no_nearest(saved: Path, tmp_path: Path) -> None:
    assert Examples.load(tmp_path) is None
    for name in (STATES, TEXTS):
        (tmp_path / name).write_bytes((saved / name).read_bytes())
    lines = (tmp_path / TEXTS).read_text().splitlines()
    (tmp_path / TEXTS).write_text("\n".join(lines[1:]))
    with pytest.raises(DataError, match="do not belong together"):
        Examples.load(tmp_path)
    (tmp_path / TEXTS).write_text("{}\n")
    with pytest.raises(DataError, match="cannot be read"):
        Examples.load(tmp_path)


def test_a_scan_with_a_real_detector(saved: Path, tmp_path: Path) -> None:
    report = read_report(java_report(tmp_path))
    with scanned(report, request(tmp_path, model=find_model(saved))) as result:
        found = list(result.verdicts())
        assert result.killed.judged == 2
    assert [verdict.tier for verdict in found].count("predicted") == 4
    assert all(v.reason for v in found if v.tier == "predicted")
    assert all(0 <= (v.probability or 0) <= 1 for v in found)


def test_another_model_of_the_same_name_is_another_model(saved: Path, tmp_path: Path) -> None:
    import shutil

    shutil.copytree(saved, tmp_path / "model")
    before = find_model(tmp_path / "model").digest
    head = tmp_path / "model" / "head.safetensors"
    content = bytearray(head.read_bytes())
    content[-1] ^= 1
    head.write_bytes(bytes(content))
    assert find_model(tmp_path / "model").digest != before
    assert find_model(saved).digest == before


def test_the_command_with_a_run_of_training(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EQUIMUT_CACHE", str(tmp_path / "cache"))
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "model").symlink_to(saved)
    java_report(tmp_path)
    result = call_equimut("scan", "mutation.json", "--model", "run", "--json")
    assert result.returncode == 0, result.stderr
    rows = json.loads(result.stdout)["mutants"]
    assert sum(row["tier"] == "predicted" for row in rows) == 3
    assert {row["finding"] for row in rows if row["tier"] == "predicted"} == {"undecided"}
    assert "not enough to promise a precision of 0.9" in result.stderr
