"""From a budget to a page: the one function behind `equimut paper`."""

import json
from collections.abc import Mapping
from pathlib import Path

import equimut
from equimut.analysis.pictures.files import picture_bytes
from equimut.analysis.run_analysis import Analysed
from equimut.storage.files import write_bytes
from equimut.study.datasets import study_data
from equimut.study.embedding_study import embedding_study
from equimut.study.experiments import Experiments, efficiency, material, run_missing
from equimut.study.heat import draw_matrix
from equimut.study.page import render_page
from equimut.study.published import MAIN_DATA
from equimut.study.study import Setup, Study, all_claims, language_study

PAGE, RAW = "index.html", "study.json"


def whole_study(setup: Experiments, data: str | None, out: Path) -> Study:
    """Run what is missing, and write the page, its data and its pictures to `out`."""
    files = study_data(data, setup.budget, out / "data")
    if setup.train:
        run_missing(setup, files)
    materials = [material(setup, language, pairs) for language, pairs in files.items()]
    languages = [language_study(each) for each in materials]
    main = files.get(MAIN_DATA)
    analysed = embedding_study(setup, main, out / "runs") if main is not None else None
    test_rows = analysed.result.distances[0] if analysed else None
    study = Study(
        setup=Setup(
            budget=setup.budget.name,
            encoder=Path(setup.encoder).name,
            equimut=equimut.__version__,
            data={each.language: each.data for each in materials},
            remarks=(setup.budget.remark,) if setup.budget.remark else (),
        ),
        languages=tuple(languages),
        analysis=analysed.result if analysed else None,
        claims=all_claims(languages, materials, test_rows),
        efficiency=efficiency([setup.results, *setup.also]),
    )
    write_study(study, analysed, out)
    return study


def write_study(study: Study, analysed: Analysed | None, out: Path) -> None:
    """The page and what is on it, each file whole or not at all."""
    pictures = _pictures(analysed)
    for language in study.languages:
        for found in language.matrices:
            name = f"matrix-{found.data}-{found.loss}.png"
            write_bytes(out / "pictures" / name, picture_bytes(draw_matrix(found), "png"))
    for name, content in pictures.items():
        write_bytes(out / "pictures" / f"{name}.png", content)
    raw = json.dumps(study.model_dump(mode="json"), indent=1, ensure_ascii=False)
    write_bytes(out / RAW, (raw + "\n").encode())
    write_bytes(out / PAGE, render_page(study, pictures).encode())


def _pictures(analysed: Analysed | None) -> Mapping[str, bytes]:
    if analysed is None:
        return {}
    figures = {**analysed.pictures, **analysed.panels}
    return {name: picture_bytes(figure, "png") for name, figure in figures.items()}
