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
from equimut.study.assembly import Setup, Study, all_claims, language_study
from equimut.study.page import render_page
from equimut.study.pictures import draw_differences, draw_matrix, length_pictures
from oracles.datasets.small_data import small_pairs
from oracles.datasets.synthetic_trials import baselines, made_material, with_full_length
from oracles.scans.browser import Watched, opened_browser

CLASS = 7
HOSTILE = "<script>alert('run')</script> & <b>bold</b>"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from opened_browser()


def two_moments() -> tuple[EmbeddedPairs, EmbeddedPairs]:
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
    rows = baselines(edit_lr=99, surroundings_lr=99)
    materials = [with_full_length(made_material("java", rows)), made_material("c", rows)]
    first, second = two_moments()
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
            OperatorResult(
                operator="ROR", count=4, equivalent=0, right=4,
                equivalent_precision=None, equivalent_recall=None, average_precision=None,
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
    first, second = two_moments()
    stages = [("base model", first), ("cluster purge", second)]
    figures = {f"class-{CLASS}-distances": draw_distances("class", stages, [None, (0.2, 0.1)])}
    for method in ("t-SNE", "PCA"):
        for moment, (stage, group) in zip(("before", "after"), stages, strict=True):
            figures[f"class-{CLASS}-{method}-{moment}"] = draw_panel(group, stage, method)
    figures["differences-macro_f1"] = draw_differences(study.languages, "macro_f1")
    figures["curves-java-paper-cls"] = length_pictures(study)["curves-java-paper-cls"]
    figures["distances"] = draw_distances("all", stages, [None, (0.2, None)])
    pictures = {name: picture_bytes(figure, "png") for name, figure in figures.items()}
    path = tmp_path_factory.mktemp("page") / "index.html"
    path.write_text(render_page(study, pictures, ["study.json"]))
    return path


def opened(browser: Browser, path: Path, width: int, unfolded: bool = True) -> tuple[Page, Watched]:
    page = browser.new_page(viewport={"width": width, "height": 844})
    watched = Watched(page)
    page.goto(path.as_uri())
    if unfolded:
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
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
    assert len(images) == 8
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


def test_the_page_shows_every_cell_claim_and_published_number(
    browser: Browser, page_file: Path, study: Study
) -> None:
    page, _ = opened(browser, page_file, 1280)
    assert page.locator("table.heat").count() == 6
    assert page.locator("table.heat td").count() == 2 * (56 + 42) + (7 + 42)  # two at full length
    assert page.locator("table.heat td.best").count() == 6
    assert page.locator(".claims li").count() == len(study.claims)
    words = page.inner_text("main")
    for number in ("89.46", "88.18", "87.22", "86.58", "96.38", "95.22", "94.74", "64.37"):
        assert number in words
    for number in ("87.52", "86.65", "0.398 ± 0.303", "0.189 ± 0.284", "2.11", "351"):
        assert number in words
    for cell in study.languages[0].matrices[0].cells[:5]:
        assert f"{cell.f1:.2f}" in words
    page.close()


def test_every_claim_links_to_evidence_that_is_there_and_opens(
    browser: Browser, page_file: Path, study: Study
) -> None:
    page, _ = opened(browser, page_file, 390, unfolded=False)
    links = page.locator(".claims li a")
    assert links.count() == len(study.claims)
    targets = {link.get_attribute("href") or "" for link in links.all()}
    assert {"#java-paper", "#c-grids", "#java-by-origin", "#distances"} <= targets
    for target in targets:
        assert page.locator(target).count() == 1, target
    folded = page.get_by_text("ensemble of cpl − edit-lr")
    assert not folded.first.is_visible()
    page.locator("#java-paper summary").click()
    assert folded.first.is_visible()
    assert page.get_by_text("cpl − edit-lr", exact=True).first.is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.close()


def test_the_answer_comes_first_then_the_problem_then_the_claims(
    browser: Browser, page_file: Path, study: Study
) -> None:
    page, _ = opened(browser, page_file, 1280, unfolded=False)
    answer = page.locator("main > p").first.inner_text()
    assert "better than cross-entropy alone in 8 of 8 comparisons" in answer
    assert "worse in none" in answer
    assert f"Of {len(study.claims)} claims, " in answer
    verdicts = [claim.verdict for claim in study.claims]
    assert f"{verdicts.count('supported')} are supported" in answer
    order = page.evaluate("[...document.querySelectorAll('h2')].map(each => each.id)")
    assert order[:3] == ["problem", "differences", "claims"]
    assert page.get_by_role("link", name="study.json").get_attribute("href") == "study.json"
    page.close()


def test_what_is_undefined_or_rests_on_few_runs_is_marked(
    browser: Browser, page_file: Path
) -> None:
    page, _ = opened(browser, page_file, 1280)
    row = page.locator("tr", has=page.get_by_role("rowheader", name="ROR", exact=True))
    assert row.locator("td").all_inner_texts() == ["4", "0", "1.000", "–", "–", "–", "–"]
    few = page.locator("#java-clean tbody").first.locator("tr").first.inner_text()
    many = page.locator("#java-paper tbody").first.locator("tr").first.inner_text()
    assert "†" in few
    assert "†" not in many
    assert page.locator(".bar").count() == page.locator("table.heat").count() == 6
    assert "margin" in page.locator("table.heat thead").first.inner_text()
    page.close()


def test_the_section_on_the_papers_length_shows_runs_differences_and_what_is_missing(
    browser: Browser, page_file: Path, study: Study
) -> None:
    page, _ = opened(browser, page_file, 1280)
    found = study.languages[0].full_length
    assert found is not None
    assert page.locator(".verdicts li").count() == len(found.claims)
    words = page.inner_text("main")
    for row in found.tables[0].rows:
        assert f"{row.levels['average_precision'].mean:.3f}" in words
    assert "7 of 56, the others not run yet" in words
    missing = page.locator("tr", has_text="0 of 5")
    assert missing.count() == 1
    assert missing.locator("td").all_inner_texts() == ["", "0 of 5", "not run yet"]
    assert page.locator("nav a[href='#full-length']").count() == 1
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
        draw_differences(study.languages, "average_precision"),
    ]
    assert draw_differences([], "macro_f1") is None
    for figure in figures:
        assert picture_bytes(figure, "png").startswith(b"\x89PNG")
