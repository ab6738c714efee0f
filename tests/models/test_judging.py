"""Verdicts: what is judged, what is not and why, in a stream of any length."""

import io
import json
import tracemalloc
from pathlib import Path

import pytest
import torch

from equimut.config import ModelConfig
from equimut.errors import EquimutError, NothingToAnalyse
from equimut.models.bulk.judge_file import judge_file
from equimut.models.detector import Detector
from equimut.models.judging import Vocabulary, judge, probabilities, trusted_threshold
from equimut.models.scoring import score
from equimut.models.settings import Calibration, PrecisionTarget, Provenance
from equimut.records import Judgement, Pair, Query
from oracles.datasets.small_data import small_pairs
from oracles.encoders.tiny_encoder import save_tiny_encoder


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_encoder(tmp_path_factory.mktemp("encoder"), layers=1, hidden=16)


@pytest.fixture
def detector(encoder: Path) -> Detector:
    torch.manual_seed(0)
    return Detector.from_encoder(encoder).eval()


def only(detector: Detector, origin: str, mutant: str, language: str = "java") -> Judgement:
    question = Query(origin=origin, mutant=mutant, language=language)
    (judgement,) = detector.judge_all([question])
    return judgement


def test_judgements_are_the_scores_of_the_pairs(detector: Detector) -> None:
    pairs = small_pairs()[:20]
    scored = score(detector, detector.encode(pairs))
    expected = torch.softmax(torch.from_numpy(scored.logits).double(), -1)[:, 1].tolist()
    found = list(detector.judge_all(pairs))
    assert [each.probability for each in found] == pytest.approx(expected)
    assert [each.distance for each in found] == pytest.approx(scored.distance.tolist(), abs=1e-6)
    for each, probability in zip(found, expected, strict=True):
        assert each.verdict == ("equivalent" if probability >= 0.5 else "not-equivalent")


def test_the_threshold_and_the_temperature_count(detector: Detector) -> None:
    pairs = small_pairs()[:8]
    plain = [each.probability or 0 for each in judge(detector, pairs)]
    strict = list(judge(detector, pairs, threshold=max(plain)))
    assert [each.verdict for each in strict].count("equivalent") == plain.count(max(plain))
    detector.settings = detector.settings.model_copy(
        update={"calibration": Calibration(temperature=2.0)}
    )
    scored = score(detector, detector.encode(pairs))
    expected = torch.softmax(torch.from_numpy(scored.logits).double() / 2, -1)[:, 1]
    found = torch.from_numpy(probabilities(detector, scored, pairs))
    torch.testing.assert_close(found, expected, atol=1e-7, rtol=0)
    softened = [each.probability for each in judge(detector, pairs)]
    assert softened == pytest.approx(expected.tolist())


def test_another_language_is_not_guessed_at(detector: Detector) -> None:
    detector.settings = detector.settings.model_copy(
        update={"provenance": Provenance(languages=("c", "java"))}
    )
    said = only(detector, "def f(x):\n    return x", "def f(x):\n    return -x", "python")
    assert said.verdict == "unknown"
    assert said.probability is None
    assert "c, java, not on python" in said.reason
    assert only(detector, "int f(int x){return x;}", "int f(int x){return -x;}", "c").probability


def test_an_edit_out_of_sight_is_not_guessed_at(encoder: Path) -> None:
    narrow = ModelConfig(encoder=str(encoder), input="paper")
    detector = Detector.from_encoder(encoder, narrow)
    start = "int f(int x) {" + " x = x + 1;" * 200
    said = only(detector, f"{start} return x; }}", f"{start} return -x; }}")
    assert said.verdict == "unknown"
    assert "too long" in said.reason
    around = Detector.from_encoder(encoder)  # a window around the edit sees it
    assert only(around, f"{start} return x; }}", f"{start} return -x; }}").verdict != "unknown"


def test_what_cannot_be_parsed_is_not_guessed_at(detector: Detector) -> None:
    said = only(detector, "int f() { return 1; }", "int f() \0 { return 2; }")
    assert said.verdict == "unknown"
    assert said.reason.startswith("not parsable")


WHOLE = {
    "java": "int f(int a) { return a; }",
    "c": "int f(int a) { return a; }",
    "python": "def f(a):\n    return (a)\n",
}


@pytest.mark.parametrize("language", WHOLE)
@pytest.mark.parametrize("broken", ["garbage }}} (", "", "missing"])
def test_code_that_does_not_parse_is_not_guessed_at(
    detector: Detector, language: str, broken: str
) -> None:
    whole = WHOLE[language]
    if broken == "missing":
        broken = whole.replace("a; }", "a;").replace("(a)\n", "(a\n")
    mutant = only(detector, whole, broken, language)
    sides = [mutant] if not broken else [mutant, only(detector, broken, whole, language)]
    for said, side in zip(sides, ("mutant", "origin"), strict=False):
        assert (said.verdict, said.tier, said.probability) == ("unknown", "unknown", None)
        assert said.reason.startswith(f"not parsable: the {side} ")


@pytest.mark.parametrize(
    "origin",
    [
        "f(a)\nint a;\n{ return a; }",  # K&R, without a type
        "int f(int a) NORETURN { FOR_EACH(a) return a; }",
        "#ifdef X\nint f(int a) {\n#else\nint f(long a) {\n#endif\n    return a;\n}",
    ],
)
def test_what_only_a_preprocessor_understands_is_judged(detector: Detector, origin: str) -> None:
    said = only(detector, origin, origin.replace("return a", "return -a"), "c")
    assert said.probability is not None


def test_a_language_without_a_grammar_is_not_guessed_at(detector: Detector) -> None:
    said = only(detector, "fn f() -> i32 { 1 }", "fn f() -> i32 { 2 }", "rust")
    assert said.verdict == "unknown"
    assert "rust" in said.reason


def test_the_same_tokens_are_equivalent_without_asking_the_model(detector: Detector) -> None:
    said = only(detector, "int f() { return 1; }", "int f()\n{\n  /* one */ return 1; }")
    assert (said.verdict, said.probability, said.reason) == ("equivalent", 1.0, "the same tokens")


def test_rows_come_back_whole_and_in_order(detector: Detector, tmp_path: Path) -> None:
    pairs = small_pairs()[:5]
    rows = [{**pair.model_dump(), "note": number} for number, pair in enumerate(pairs)]
    lines = [json.dumps(row) for row in rows]
    lines[2:2] = ["{broken", '"text"', '{"origin": "int f(){}", "language": "java"}', ""]
    lines.append(json.dumps({"origin": "x", "mutant": 3, "language": "java"}))
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text("\n".join(lines) + "\n")
    counts = judge_file(detector, source, target)
    back = [json.loads(line) for line in target.read_text().splitlines()]
    assert len(back) == 9
    assert counts["unknown"] == 4
    assert [row["note"] for row in back if "note" in row] == [0, 1, 2, 3, 4]
    assert "line 3: not JSON" in back[2]["reason"]
    assert "line 4: not a JSON object" in back[3]["reason"]
    assert back[4]["reason"] == "not a row: `mutant` is missing"
    assert back[8]["reason"].startswith("not a row: `mutant` ")
    for row in back[:2]:
        assert 0 <= row["probability"] <= 1
        assert row["verdict"] in ("equivalent", "not-equivalent")


def test_a_promised_precision_leaves_out_what_lies_outside_of_the_function(
    detector: Detector, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = {"n": "n++", "this.at": "this.at++"}
    rows = [
        {"origin": f"int f(int n) {{ return {old}; }}", "language": "java"}
        | {"mutant": f"int f(int n) {{ return {new}; }}"}
        for old, new in changed.items()
    ]
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    monkeypatch.setattr("equimut.models.bulk.judge_file.trusted_threshold", lambda *_: 0.0)
    judge_file(detector, source, target)
    plain = [json.loads(line) for line in target.read_text().splitlines()]
    judge_file(detector, source, target, 0.9)
    local, field = (json.loads(line) for line in target.read_text().splitlines())
    assert (local["verdict"], local["reason"]) == ("equivalent", "")
    assert (field["verdict"], field["probability"]) == ("unknown", plain[1]["probability"])
    assert "`at` is from outside of the function" in field["reason"]
    assert not any("outside" in row["reason"] for row in plain)  # no promise, nothing to withhold


def test_memory_does_not_grow_with_the_rows(
    detector: Detector, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("equimut.models.judging.PAIRS_PER_CHUNK", 128)
    row = json.dumps(small_pairs()[0].model_dump())
    peaks = []
    for number in (300, 1_500):
        source = tmp_path / f"{number}.jsonl"
        with source.open("w") as file:
            file.writelines(row + "\n" for _ in range(number))
        tracemalloc.start()
        judge_file(detector, source, tmp_path / "out.jsonl")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0]


def test_an_error_leaves_the_old_verdicts(
    detector: Detector, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "out.jsonl"
    target.write_text("before")
    with pytest.raises(EquimutError, match="cannot read"):
        judge_file(detector, tmp_path / "missing.jsonl", target)
    (tmp_path / "empty.jsonl").write_text("\n\n")
    with pytest.raises(NothingToAnalyse, match="holds no rows"):
        judge_file(detector, tmp_path / "empty.jsonl", target)
    monkeypatch.setattr("equimut.storage.jsonl.LONGEST_LINE", 100)
    (tmp_path / "long.jsonl").write_text("x" * 200)
    with pytest.raises(EquimutError, match="line 1 is longer than"):
        judge_file(detector, tmp_path / "long.jsonl", target)
    assert target.read_text() == "before"


def test_rows_may_come_from_standard_input_and_go_to_standard_output(
    detector: Detector, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = "".join(json.dumps(pair.model_dump()) + "\n" for pair in small_pairs()[:3])
    out = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(rows.encode())))
    monkeypatch.setattr("sys.stdout", out)
    judge_file(detector, Path("-"), None)
    assert out.buffer.getvalue().count(b"\n") == 3  # type: ignore[attr-defined]


def test_a_precision_that_was_not_reached_is_not_promised(detector: Detector) -> None:
    with pytest.raises(EquimutError, match="not calibrated"):
        trusted_threshold(detector, 0.95)
    target = PrecisionTarget(
        precision=0.95, threshold=0.7, achieved=0.95, lower_bound=0.91, recall=0.4, support=373
    )
    detector.settings = detector.settings.model_copy(
        update={"calibration": Calibration(rows=77, targets=(target,))}
    )
    assert trusted_threshold(detector, 0.9) == pytest.approx(0.7, abs=2e-6)
    with pytest.raises(EquimutError, match=r"0\.95.*77 validation rows.*at most 0\.91"):
        trusted_threshold(detector, 0.95)


def test_names_out_of_the_vocabulary_are_not_guessed_at(detector: Detector) -> None:
    vocabulary = Vocabulary.of(detector.sub_tokenizer.backend)
    # The small tokenizer was trained on our code: a script it never saw falls into bytes.
    origin = "int площадь(int ширина, int высота) { int итог = ширина * высота; return итог; }"
    mutant = origin.replace("*", "+")
    ids = detector.encode([pair_of(origin, mutant)])[0].origin.ids
    assert vocabulary.unknown_share(ids) > 0.7
    said = only(detector, origin, mutant)
    assert (said.verdict, said.probability) == ("unknown", None)
    assert "names" in said.reason
    plain = "int f(int i, int n) { int s = 0; for (; i < n; i++) s += i; return s; }"
    assert only(detector, plain, plain.replace("<", "<=")).verdict != "unknown"
    assert vocabulary.unknown_share(detector.encode([pair_of(plain, plain)])[0].origin.ids) < 0.5


def test_a_window_on_a_long_function_is_said(detector: Detector) -> None:
    body = " ".join(f"total = total + values[{i}];" for i in range(60))
    origin = f"int f(int[] values) {{ int total = 0; {body} return total; }}"
    mutant = origin.replace("values[30]", "values[31]")
    said = only(detector, origin, mutant)
    assert said.verdict != "unknown"
    seen, of = (int(word) for word in said.remark.split() if word.isdigit())
    assert seen < detector.settings.limits.max_length < of
    short = "int f(int x) { return x + 1; }"
    assert only(detector, short, short.replace("+", "-")).remark == ""


def pair_of(origin: str, mutant: str) -> Pair:
    return small_pairs()[0].model_copy(
        update={"origin": origin, "mutant": mutant, "language": "java"}
    )


def test_a_block_that_ends_elsewhere_is_not_the_same_code(detector: Detector) -> None:
    origin = "def f(xs):\n    for x in xs:\n        g()\n        h()\n"
    said = only(detector, origin, origin.replace("        h()", "    h()"), "python")
    assert (said.verdict, said.probability) == ("unknown", None)
    assert "layout" in said.reason
    commented = origin.replace("    for", "    # each of them\n\n    for")
    assert only(detector, origin, commented, "python").verdict == "equivalent"
