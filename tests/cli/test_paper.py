"""`equimut paper --budget smoke` from trainings to a page; `equimut analyze` of a run it made."""

import json
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest
from playwright.sync_api import Browser

from conftest import FULL, shared_file
from equimut.cli.train.paper import scoped
from equimut.errors import EquimutError
from equimut.study.budget import BUDGETS, EVERYTHING, budget_named
from equimut.sweep.grid import read_grid, trials
from equimut.sweep.results import ResultsDirectory
from oracles.command import Result, call_equimut, says_one_line
from oracles.encoders.tiny_encoder import save_tiny_encoder
from oracles.scans.browser import Watched, opened_browser
from oracles.sweeps import run_trials_here

LABELS = ("equivalent", "non_equivalent")


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_encoder(tmp_path_factory.mktemp("encoder"), layers=1, hidden=16)


def smoke(out: Path, encoder: Path, *more: object) -> Result:
    return call_equimut(
        "paper", "--budget", "smoke", "--out", out, "--encoder", encoder, "--jobs", "1", *more
    )


@pytest.fixture(scope="module")
def made(encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    out = tmp_path_factory.mktemp("paper")
    with pytest.MonkeyPatch.context() as patch:
        run_trials_here(patch)
        return out, smoke(out, encoder)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from opened_browser()


def test_smoke_runs_everything_and_says_what_it_is_worth(made: tuple[Path, Result]) -> None:
    out, result = made
    assert result.returncode == 0, result.stderr
    study = json.loads((out / "study.json").read_text())
    assert [each["language"] for each in study["languages"]] == ["java", "c"]
    for language in study["languages"]:
        assert [len(found["cells"]) for found in language["matrices"]] == [4, 4]
        names = [row["name"] for row in language["table"]]
        assert {"origin-majority", "line-operator", "edit-lr"} <= set(names)
    assert len(study["analysis"]["classes"]) == 2
    assert {claim["verdict"] for claim in study["claims"]} == {"inconclusive"}
    assert "says nothing about the losses" in study["setup"]["remarks"][0]
    assert len(ResultsDirectory(out / "results").results()) == 24
    assert len(result.stdout.splitlines()) == len(study["claims"])
    assert len(list((out / "pictures").glob("matrix-*.png"))) == 4
    assert study["efficiency"] > 0


def test_the_page_of_a_smoke_run_is_whole_on_a_phone(
    made: tuple[Path, Result], browser: Browser
) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    watched = Watched(page)
    page.goto((made[0] / "index.html").as_uri())
    assert watched.problems == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    widths = page.evaluate("[...document.images].map(image => image.naturalWidth)")
    assert len(widths) == 13  # differences in two metrics, two classes of five, all test rows
    assert min(widths) > 300
    page.close()


@pytest.mark.skipif(not FULL, reason="draws everything again; make test-full runs it")
def test_a_second_call_trains_nothing_and_says_the_same(
    made: tuple[Path, Result], encoder: Path
) -> None:
    out, first = made
    before = (out / "study.json").read_text()
    stamps = {path: path.stat().st_mtime_ns for path in (out / "results" / "trials").iterdir()}
    again = smoke(out, encoder)
    assert "0 of 24 trials to run" in again.stderr
    assert again.stdout == first.stdout
    assert {path: path.stat().st_mtime_ns for path in stamps} == stamps
    assert (out / "study.json").read_text() == before


def test_results_made_elsewhere_are_used_and_nothing_is_trained_where_that_is_asked(
    made: tuple[Path, Result], encoder: Path, tmp_path: Path
) -> None:
    elsewhere = smoke(
        tmp_path, encoder, "--no-train", "--json",
        "--results", tmp_path / "new", "--results", made[0] / "results",
    )  # fmt: skip
    assert elsewhere.returncode == 0, elsewhere.stderr
    assert not (tmp_path / "new" / "trials").exists()
    assert not (tmp_path / "runs").exists()
    study = json.loads((tmp_path / "study.json").read_text())
    whole = json.loads((made[0] / "study.json").read_text())
    assert study["analysis"] is None  # its two models would have to be trained
    assert study["languages"] == whole["languages"]
    assert len(json.loads(elsewhere.stdout)) == len(whole["claims"])
    assert '<h2 id="embeddings">' not in (tmp_path / "index.html").read_text()


def test_without_training_the_embeddings_of_an_earlier_page_of_the_same_study_stay(
    made: tuple[Path, Result], encoder: Path, tmp_path: Path
) -> None:
    whole = json.loads((made[0] / "study.json").read_text())
    copytree(made[0] / "pictures", tmp_path / "pictures")
    options = ("--no-train", "--results", made[0] / "results")
    for encoder_then, kept in ((whole["setup"]["encoder"], True), ("another", False)):
        setup = whole["setup"] | {"encoder": encoder_then}
        (tmp_path / "study.json").write_text(json.dumps(whole | {"setup": setup}))
        assert smoke(tmp_path, encoder, *options).returncode == 0
        study = json.loads((tmp_path / "study.json").read_text())
        assert study["analysis"] == (whole["analysis"] if kept else None)
        page = (tmp_path / "index.html").read_text()
        assert page.count("<img") == (13 if kept else 2)
    (tmp_path / "study.json").write_text("{}")
    broken = smoke(tmp_path, encoder, *options)
    assert says_one_line(broken, "is no study of this command")


def test_analyze_draws_the_classes_of_a_run(made: tuple[Path, Result], tmp_path: Path) -> None:
    run = next((made[0] / "runs").glob("cpl-*"))
    result = call_equimut("analyze", run, "--json", "--out", tmp_path, "--format", "svg")
    assert result.returncode == 0, result.stderr
    found = json.loads(result.stdout)
    drawn = {path.name for path in tmp_path.iterdir()}
    for each in found["classes"]:
        assert {f"class-{each['class_id']}.svg", f"class-{each['class_id']}-distances.svg"} <= drawn
    verges = [each[f"verge_{name}"] for each in found["classes"] for name in LABELS]
    assert any(verge is not None for verge in verges)
    assert [table["rows"] for table in found["distances"]] == ["test rows", "training rows"]
    assert sum(each["count"] for each in found["operators"]) >= 30
    one = str(found["classes"][0]["class_id"])
    plain = call_equimut("analyze", run, "--class", one, "--out", tmp_path / "one")
    assert "distance to the origin, test rows" in plain.stdout
    drawn = {path.name for path in (tmp_path / "one").glob("class-*")}
    assert drawn == {f"class-{one}.png", f"class-{one}-distances.png"}
    wrong = call_equimut("analyze", run, "--class", "999999", "--out", tmp_path)
    assert wrong.returncode == 2
    assert "class 999999" in wrong.stderr
    assert "both labels" in wrong.stderr
    assert says_one_line(call_equimut("analyze", tmp_path), "not a run")


def test_mistakes_get_one_line(tmp_path: Path, encoder: Path) -> None:
    assert says_one_line(
        call_equimut("paper", "--budget", "huge", "--out", tmp_path), "huge", "cpu"
    )
    assert says_one_line(smoke(tmp_path, encoder, "--engine", "slurm"), "slurm", "local, ray")
    assert says_one_line(
        smoke(tmp_path, encoder, "--data", tmp_path / "none"), "none", "data fetch"
    )
    assert says_one_line(smoke(tmp_path, encoder, "--set", "gird:seed=1"), "gird", "paper-cpl")


def test_options_are_for_all_grids_or_for_one() -> None:
    found = scoped(["optim.epochs=3", "seed-study:optim.epochs=9", "model.encoder=a:b"])
    assert found == {
        EVERYTHING: {"optim.epochs": 3, "model.encoder": "a:b"},
        "seed-study": {"optim.epochs": 9},
    }
    smoke_budget = budget_named("smoke")
    assert smoke_budget.options_for("seed-study", found)["optim.epochs"] == 9
    assert smoke_budget.options_for("paper-cpl", found)["optim.epochs"] == 3
    assert smoke_budget.options_for("paper-cpl", {})["optim.epochs"] == 1
    with pytest.raises(EquimutError, match="nonsense"):
        scoped(["nonsense:optim.epochs=1"])


def test_full_is_the_papers_own_budget() -> None:
    full = BUDGETS["full"]
    (config,) = {
        trial.config.model_copy(update={"loss": None})
        for trial in trials(
            read_grid("paper-cpl"), "emd-java.jsonl",
            {"model.encoder": full.encoder, **full.options_for("paper-cpl", {})}, full.preset,
        )
    }  # fmt: skip
    assert config.model.encoder == "microsoft/unixcoder-base"
    assert (config.optim.epochs, config.optim.batch_size, config.seed) == (30, 4, 42)
    assert (config.optim.learning_rate, config.optim.warmup) == (2e-5, 0.2)
    assert (config.model.input, config.model.pooling) == ("paper", "cls")
    assert config.selection.on == "test"
    assert {"paper-cpl", "paper-contrastive"} <= set(full.grids["c"])


@pytest.mark.skipif(not FULL, reason="takes a minute; make test-full runs it")
def test_smoke_on_the_published_data(encoder: Path, tmp_path: Path) -> None:
    data = shared_file("data")
    result = smoke(tmp_path, encoder, "--data", data)
    assert result.returncode == 0, result.stderr
    study = json.loads((tmp_path / "study.json").read_text())
    assert study["setup"]["data"] == {"java": "emd-java-smoke", "c": "mutantbench-c-smoke"}
