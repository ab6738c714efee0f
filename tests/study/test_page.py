"""The page of a study in a real browser: whole, offline, nothing over anything, also on a phone."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from equimut.analysis.distances import distance_table
from equimut.analysis.embeddings import EmbeddedPairs
from equimut.analysis.operator_results import OperatorResult
from equimut.analysis.pictures.distances import draw_distances
from equimut.analysis.pictures.embeddings import draw_class, draw_panel
from equimut.analysis.pictures.files import picture_bytes
from equimut.analysis.run_analysis import ClassAnalysis, RunAnalysis
from equimut.study.heat import draw_matrix
from equimut.study.page import render_page
from equimut.study.study import Material, Setup, Study, all_claims, language_study
from oracles.datasets.small_data import small_pairs
from oracles.datasets.synthetic_trials import PLAIN, drawn, trial, whole_lot
from oracles.scans.browser import Watched, opened_browser

CLASS = 7
HOSTILE = "<script>alert('run')</script> & <b>bold</b>"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from opened_browser()


def lots() -> tuple[EmbeddedPairs, EmbeddedPairs]:
    pairs = small_pairs(origins=10)
    chance = np.random.default_rng(0)
    origin, mutant = chance.normal(size=(2, len(pairs), 6)) + 3
    near, far = chance.random((2, len(pairs)))
    return (
        EmbeddedPairs(pairs, origin, mutant, 0.1 * near),
        EmbeddedPairs(pairs, origin, mutant + 1, 0.5 * far),
    )


@pytest.fixture(scope="module")
def study() -> Study:
    plain = trial("", 0.4, 99, PLAIN, {}).evaluation
    planned = {"paper-cpl": 56, "paper-contrastive": 42}
    rows = {
        "paper": [
            (plain.model_copy(update={"judge": name}), drawn(0.4, 99))
            for name in ("edit-lr", "surroundings-lr")
        ]
    }
    materials = [
        Material(name, f"{name}-made", whole_lot(), planned, rows) for name in ("java", "c")
    ]
    first, second = lots()
    table = distance_table("test rows", ("base model", first), ("cluster purge", second))
    analysis = RunAnalysis(
        run="run",
        before="base model",
        classes=(
            ClassAnalysis(
                class_id=CLASS, program=HOSTILE, distances=table, verge_non_equivalent=0.2,
                verge_equivalent=0.1, origin_moves=True,
            ),
        ),
        distances=(table, table),
        operators=(
            OperatorResult(
                operator=HOSTILE, count=9, equivalent=3, right=6,
                equivalent_precision=0.5, equivalent_recall=0.7, average_precision=None,
            ),
        ),
        notes=(HOSTILE,),
    )  # fmt: skip
    languages = [language_study(each) for each in materials]
    return Study(
        setup=Setup(
            budget="made", encoder=HOSTILE, equimut="0", data={"java": "a", "c": "b"},
            remarks=(HOSTILE,),
        ),
        languages=tuple(languages),
        analysis=analysis,
        claims=all_claims(languages, materials, table),
        efficiency=0.97,
    )  # fmt: skip


@pytest.fixture(scope="module")
def page_file(study: Study, tmp_path_factory: pytest.TempPathFactory) -> Path:
    first, second = lots()
    stages = [("base model", first), ("cluster purge", second)]
    figures = {f"class-{CLASS}-distances": draw_distances("class", stages, [None, (0.2, 0.1)])}
    for method in ("t-SNE", "PCA"):
        for moment, (stage, lot) in zip(("before", "after"), stages, strict=True):
            figures[f"class-{CLASS}-{method}-{moment}"] = draw_panel(lot, stage, method)
    figures["distances"] = draw_distances("all", stages, [None, (0.2, None)])
    pictures = {name: picture_bytes(figure, "png") for name, figure in figures.items()}
    path = tmp_path_factory.mktemp("page") / "index.html"
    path.write_text(render_page(study, pictures))
    return path


def opened(browser: Browser, path: Path, width: int) -> tuple[Page, Watched]:
    page = browser.new_page(viewport={"width": width, "height": 844})
    watched = Watched(page)
    page.goto(path.as_uri())
    return page, watched


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_sticks_out_lies_over_another_or_is_empty(
    browser: Browser, page_file: Path, width: int
) -> None:
    page, watched = opened(browser, page_file, width)
    assert watched.problems == []
    assert watched.requests == [page_file.as_uri()] + [
        url for url in watched.requests if url.startswith("data:")
    ]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    overlapping = page.evaluate(
        """() => {
          const parts = [...document.querySelectorAll('main > *')];
          const boxes = parts.map(e => e.getBoundingClientRect());
          return boxes.slice(1).filter((box, i) => box.top < boxes[i].bottom - 1).length;
        }"""
    )
    assert overlapping == 0
    images = page.evaluate(
        "[...document.images].map(i => [i.naturalWidth, i.clientWidth, i.alt.length])"
    )
    assert len(images) == 6
    assert all(real > 300 and shown >= 300 and alt for real, shown, alt in images)
    small = page.evaluate(
        """() => [...document.querySelectorAll('p, li, td, th, dd, figcaption')]
          .filter(e => e.innerText.trim() && parseFloat(getComputedStyle(e).fontSize) < 12)
          .map(e => e.innerText)"""
    )
    assert small == []
    page.close()


def test_text_of_the_diagram_stays_in_its_boxes_and_is_readable_on_a_phone(
    browser: Browser, page_file: Path
) -> None:
    page, _ = opened(browser, page_file, 390)
    outside = page.evaluate(
        """() => {
          const svg = document.querySelector('svg.flow').getBoundingClientRect();
          const parts = [...document.querySelectorAll('svg.flow rect')];
          const boxes = parts.map(e => e.getBoundingClientRect());
          const bad = [];
          for (const text of document.querySelectorAll('svg.flow text')) {
            const t = text.getBoundingClientRect();
            if (t.left < svg.left || t.right > svg.right) bad.push(text.textContent);
            for (const b of boxes) {
              const across = t.left < b.right && t.right > b.left;
              const meets = across && t.top < b.bottom && t.bottom > b.top;
              const between = t.left >= b.left && t.right <= b.right;
              const inside = between && t.top >= b.top && t.bottom <= b.bottom;
              if (meets && !inside) bad.push(text.textContent);
            }
            if (t.height < 11) bad.push('small: ' + text.textContent);
          }
          return bad;
        }"""
    )
    assert outside == []
    page.close()


def test_the_page_shows_every_cell_claim_and_published_figure(
    browser: Browser, page_file: Path, study: Study
) -> None:
    page, _ = opened(browser, page_file, 1280)
    assert page.locator("table.heat").count() == 4
    assert page.locator("table.heat td").count() == 2 * (56 + 42)
    assert page.locator("table.heat td.best").count() == 4
    assert page.locator(".claims li").count() == len(study.claims)
    words = page.inner_text("main")
    for figure in ("89.46", "88.18", "87.22", "86.58", "96.38", "95.22", "94.74", "64.37"):
        assert figure in words
    for figure in ("87.52", "86.65", "0.398 ± 0.303", "0.189 ± 0.284", "2.11", "351"):
        assert figure in words
    for cell in study.languages[0].matrices[0].cells[:5]:
        assert f"{cell.f1:.2f}" in words
    page.close()


def test_differences_of_committees_are_a_click_away(browser: Browser, page_file: Path) -> None:
    page, _ = opened(browser, page_file, 390)
    folded = page.locator("details")
    assert folded.count() == 2  # one language each
    difference = page.get_by_text("committee of cpl − edit-lr")
    assert not difference.first.is_visible()
    assert page.get_by_text("cpl − edit-lr", exact=True).first.is_visible()
    folded.first.locator("summary").click()
    assert difference.first.is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.close()


def test_names_from_data_are_text_not_markup(browser: Browser, page_file: Path) -> None:
    page, watched = opened(browser, page_file, 1280)
    assert HOSTILE in page.inner_text("main")
    assert page.locator("script").count() == 0
    assert watched.problems == []
    page.close()


def test_pictures_of_few_or_equal_points_can_be_drawn(study: Study) -> None:
    pairs = small_pairs(origins=10)[:3]
    flat = EmbeddedPairs(pairs, np.ones((3, 4)), np.ones((3, 4)), np.zeros(3))
    figures = [
        draw_class(1, [("before", flat), ("after", flat)]),
        draw_distances("x", [("now", flat)], [(None, None)]),
        draw_matrix(study.languages[0].matrices[0]),
    ]
    for figure in figures:
        assert picture_bytes(figure, "png").startswith(b"\x89PNG")
