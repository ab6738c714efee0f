"""Results packed into one file: nothing is lost, nothing is run again."""

import json
import shutil
from pathlib import Path

import pytest

from equimut.config import DEFAULT, changed
from equimut.errors import DataError, EquimutError
from equimut.evaluation.metrics import score
from equimut.evaluation.predictions import Predictions, write_predictions
from equimut.sweep.grid import trial_id
from equimut.sweep.results import ResultsDirectory, TrialResult
from equimut.training.run_files import EpochScores

CONFIGS = [changed(DEFAULT, {"seed": seed}) for seed in range(4)]
IDS = [trial_id(config) for config in CONFIGS]
SAID = Predictions(ids=("a", "é"), labels=(0, 1), groups=(0, 1), probabilities=(0.1, 1 / 3))


def result(number: int, error: str = "") -> TrialResult:
    return TrialResult(
        id=IDS[number],
        grid="g",
        varied={"seed": number, "data.fold": None},
        config=CONFIGS[number],
        status="failed" if error else "done",
        error=error,
        dev=1 / 7,
        history=(EpochScores(epoch=1, dev=score([1, 0], [0.9, 0.2])),),
    )


@pytest.fixture
def directory(tmp_path: Path) -> ResultsDirectory:
    directory = ResultsDirectory(tmp_path / "results")
    for number in range(3):
        directory.write(result(number, error="" if number else "died"))
    write_predictions(directory.predictions / f"{IDS[1]}.jsonl", SAID)
    return directory


def test_packed_results_are_the_results(directory: ResultsDirectory) -> None:
    before = directory.results()
    assert directory.pack() == 3
    assert directory.results() == before == ResultsDirectory(directory.path).results()
    assert directory.result(IDS[1]) == result(1)
    assert directory.result(IDS[3]) is None
    for each in (directory, ResultsDirectory(directory.path)):
        assert each.predictions_of(IDS[1]) == SAID
        assert each.predictions_of(IDS[2]) is None
    names = {path.name for path in directory.path.iterdir()}
    assert names == {"trials.jsonl.gz", "predictions.jsonl.gz"}


def test_a_sweep_goes_on_in_a_packed_directory(directory: ResultsDirectory) -> None:
    directory.pack()
    assert directory.to_do(IDS, retry_failed=False) == [IDS[3]]
    assert directory.to_do(IDS, retry_failed=True) == [IDS[0], IDS[3]]
    directory.write(result(0))  # run again, and done this time
    directory.write(result(3))
    assert directory.to_do(IDS, retry_failed=True) == []
    assert directory.pack() == 4
    assert sorted(each.id for each in directory.results()) == sorted(IDS)
    assert directory.to_do(IDS, retry_failed=True) == []
    assert directory.predictions_of(IDS[1]) == SAID


def test_the_same_results_give_the_same_bytes(directory: ResultsDirectory, tmp_path: Path) -> None:
    shutil.copytree(directory.path, tmp_path / "other")
    contents = []
    for path in (directory.path, tmp_path / "other"):
        ResultsDirectory(path).pack()
        ResultsDirectory(path).pack()
        contents.append(
            [(path / f"{name}.jsonl.gz").read_bytes() for name in ("trials", "predictions")]
        )
    assert contents[0] == contents[1]


def test_packing_does_not_settle_options_that_did_not_exist(directory: ResultsDirectory) -> None:
    path = directory.trials / f"{IDS[2]}.json"
    content = json.loads(path.read_text())
    del content["config"]["model"]["mode"]
    path.write_text(json.dumps(content))
    directory.pack()
    packed = directory.result(IDS[2])
    assert packed is not None
    assert "mode" not in packed.model_dump(exclude_unset=True)["config"]["model"]
    assert directory.to_do(IDS, retry_failed=False) == [IDS[3]]


def test_packed_results_name_no_directory_of_a_machine(directory: ResultsDirectory) -> None:
    path = directory.trials / f"{IDS[2]}.json"
    content = json.loads(path.read_text())
    content["config"]["data"]["pairs"] = f"/home/someone/{content['config']['data']['pairs']}"
    content["config"]["model"]["encoder"] = "someone/encoder"  # a name, not a directory
    path.write_text(json.dumps(content))
    directory.pack()
    packed = {each.id: each for each in directory.results()}
    assert not [each for each in packed.values() if each.config.data.pairs.startswith("/")]
    assert packed[IDS[2]].config.model.encoder == "someone/encoder"


def test_packing_waits_for_no_sweep_and_breaks_none(directory: ResultsDirectory) -> None:
    with directory.alone(), pytest.raises(EquimutError, match="another sweep is at work"):
        ResultsDirectory(directory.path).pack()
    assert len(list(directory.trials.iterdir())) == 3


def test_packing_that_fails_keeps_the_small_files(directory: ResultsDirectory) -> None:
    (directory.path / "trials.jsonl.gz").mkdir()
    before = sorted(directory.trials.iterdir())
    with pytest.raises(DataError, match="cannot write"):
        directory.pack()
    assert sorted(directory.trials.iterdir()) == before


def test_a_damaged_packed_file_is_named(directory: ResultsDirectory) -> None:
    directory.pack()
    path = directory.path / "trials.jsonl.gz"
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(DataError, match=r"trials\.jsonl\.gz is not a whole gzip file"):
        directory.results()
