"""From a budget to a page: the one function behind `equimut paper`."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

import equimut
from equimut.analysis.pictures.files import picture_bytes
from equimut.analysis.run_analysis import RunAnalysis
from equimut.errors import DataError
from equimut.storage.files import read_text, write_bytes
from equimut.study.assembly import Setup, Study, all_claims, language_study
from equimut.study.datasets import study_data
from equimut.study.embeddings import compare_embeddings
from equimut.study.full_length.section import benchmark_table
from equimut.study.full_length.tables import LengthTable
from equimut.study.page import render_page
from equimut.study.pictures import (
    SHOWN_METRICS,
    draw_differences,
    draw_matrix,
    length_pictures,
)
from equimut.study.published import MAIN_DATA
from equimut.study.trials import (
    BENCHMARK,
    Experiments,
    efficiency,
    material,
    predictions_of,
    run_missing,
)
from equimut.sweep.results import ResultsDirectory

PAGE, RAW, PICTURES = "index.html", "study.json", "pictures"


def reproduce(setup: Experiments, data: str | None, out: Path) -> Study:
    """Run what is missing, and write the page, its data and its pictures to `out`."""
    files = study_data(data, setup.budget, out / "data")
    if setup.train:
        run_missing(setup, files)
    materials = [material(setup, language, pairs) for language, pairs in files.items()]
    about = Setup(
        budget=setup.budget.name,
        encoder=Path(setup.encoder).name,
        equimut=equimut.__version__,
        data={each.language: each.data for each in materials},
        remarks=(setup.budget.remark,) if setup.budget.remark else (),
    )
    analysis, pictures = _embeddings(setup, about, files, out)
    languages = [language_study(each) for each in materials]
    study = Study(
        setup=about,
        languages=tuple(languages),
        analysis=analysis,
        claims=all_claims(languages, materials, analysis.distances[0] if analysis else None),
        efficiency=efficiency([setup.results, *setup.also]),
        benchmark=_benchmark([setup.results, *setup.also]),
    )
    write_study(study, pictures, out, [setup.results, *setup.also])
    return study


def _benchmark(places: list[Path]) -> LengthTable | None:
    """The losses on the verified benchmark, from whichever results have trials of it."""
    known = [each for place in places for each in ResultsDirectory(place).results()]
    its = [each for each in known if each.grid == BENCHMARK]
    return benchmark_table(its, predictions_of([each.id for each in its], places))


def write_study(
    study: Study, pictures: Mapping[str, bytes], out: Path, results: list[Path]
) -> None:
    """The page, its data and its pictures, each file whole or not at all."""
    drawn = {
        f"differences-{name}": draw_differences(study.languages, name) for name in SHOWN_METRICS
    }
    drawn |= length_pictures(study)
    shown = dict(pictures) | {
        name: picture_bytes(figure, "png") for name, figure in drawn.items() if figure is not None
    }
    matrices = {
        f"matrix-{found.data}-{found.loss}": picture_bytes(draw_matrix(found), "png")
        for language in study.languages
        for found in language.matrices
    }
    for name, content in (shown | matrices).items():
        write_bytes(out / PICTURES / f"{name}.png", content)
    raw = json.dumps(study.model_dump(mode="json"), indent=1, ensure_ascii=False)
    write_bytes(out / RAW, (raw + "\n").encode())
    write_bytes(out / PAGE, render_page(study, shown, [RAW, *_near(out, results)]).encode())


def _near(out: Path, results: list[Path]) -> list[str]:
    """Directories of results in or next to the page's own, as links from the page."""
    found = [os.path.relpath(each, out) for each in results if each.is_dir()]
    return [each for each in found if not each.startswith(os.path.join("..", ".."))]


def _embeddings(
    setup: Experiments, about: Setup, files: Mapping[str, Path], out: Path
) -> tuple[RunAnalysis | None, Mapping[str, bytes]]:
    """What training did to the embeddings, measured now or on an earlier page of the same study.

    Trials keep no weights, so without training the earlier page is all there is.
    """
    main = files.get(MAIN_DATA)
    found = compare_embeddings(setup, main, out / "runs") if main else None
    if found is not None:
        figures = {**found.pictures, **found.panels}
        return found.result, {name: picture_bytes(each, "png") for name, each in figures.items()}
    if not (out / RAW).is_file():
        return None, {}
    try:
        earlier = Study.model_validate_json(read_text(out / RAW))
    except ValidationError as error:
        raise DataError(f"{out / RAW} is no study of this command; remove it") from error
    same = earlier.setup.model_copy(update={"equimut": about.equimut}) == about
    if earlier.analysis is None or not same:
        return None, {}
    kept = [*out.glob(f"{PICTURES}/class-*.png"), out / PICTURES / "distances.png"]
    return earlier.analysis, {each.stem: each.read_bytes() for each in kept if each.is_file()}
