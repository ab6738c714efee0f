"""The page in a real browser for every reader: rows are drawn, and an error shows itself."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from equimut.reports.reported import read_report
from equimut.scanning.outputs import write_output
from equimut.scanning.pipeline import scanned
from oracles.reports.every_reader import BY_HAND, REAL, real_report
from oracles.scans.browser import Watched, opened_browser
from oracles.scans.scan_project import Asked, model_files, request
from oracles.scans.scan_results import example_result

DATA = re.compile(r'(<script type="application/json" id="data">)(.*?)(</script>)', re.S)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from opened_browser()


@pytest.fixture
def page(browser: Browser) -> Iterator[Watched]:
    watched = Watched(browser.new_page())
    yield watched
    watched.page.close()


def write_page(path: Path, source: Path | None, folder: Path, format: str = "auto") -> int:
    """The page of a scan of all mutants, by a model that answers by rule; says how many."""
    report = read_report(path, source, format)
    languages = ("java", "python")
    asked = request(
        folder, model=model_files(languages=languages), predict=Asked(), everything=True,
        source=source,
    )  # fmt: skip
    with scanned(report, asked) as result:
        write_output(result, "html", folder / "scan.html")
    return report.total


def check_page(watched: Watched, file: Path, total: int) -> None:
    """All mutants can be drawn and opened, and nothing went wrong."""
    page = watched.page
    page.goto(file.as_uri())
    noun = "mutant" if total == 1 else "mutants"
    assert page.inner_text("#count") == f"{total:,} {noun}"
    drawn = page.locator(".mutant").count()
    assert drawn == min(total, 60)
    opened = page.evaluate(
        "[...document.querySelectorAll('.mutant .head')].slice(1)"
        ".map((head) => (head.click(), head.parentNode.querySelector('.facts').innerText)).length"
    )
    assert opened == drawn - 1
    for word in ("undefined", "null", "NaN", "[object"):
        assert word not in headers(page)
    assert page.locator("#failure").is_hidden()
    assert watched.problems == []


def headers(page: Page) -> str:
    """What the rows say without the code, in which any word may stand."""
    parts = ".mutant .meta, .mutant .badge, .mutant .facts dt, .mutant .facts > div:first-child dd"
    return "\n".join(page.locator(parts).all_inner_texts())


@pytest.mark.parametrize("reader", BY_HAND)
def test_what_each_reader_reads_is_on_the_page(reader: str, page: Watched, tmp_path: Path) -> None:
    (tmp_path / "report").mkdir()
    report, source, format = BY_HAND[reader](tmp_path / "report")
    total = write_page(report, source, tmp_path, format)
    assert total
    check_page(page, tmp_path / "scan.html", total)


@pytest.mark.parametrize(("name", "source"), REAL, ids=[name for name, _ in REAL])
def test_real_reports_are_on_the_page(
    name: str, source: str | None, page: Watched, tmp_path: Path
) -> None:
    total = write_page(*real_report(name, source), tmp_path)
    check_page(page, tmp_path / "scan.html", total)


def test_any_field_of_a_mutant_may_be_missing(page: Watched, tmp_path: Path) -> None:
    write_output(example_result(), "html", tmp_path / "scan.html")
    text = (tmp_path / "scan.html").read_text(encoding="utf-8")
    found = DATA.search(text)
    assert found is not None
    rows = json.loads(found[2])
    fields = sorted({name for row in rows for name in row})
    assert len(fields) > 15
    for field in fields:
        left = [{name: row[name] for name in row if name != field} for row in rows]
        without = tmp_path / f"without_{field}.html"
        data = json.dumps(left).replace("<", "\\u003c")
        without.write_text(DATA.sub(lambda m, data=data: m[1] + data + m[3], text))
        check_page(page, without, len(rows))


def test_an_error_of_the_script_shows_itself(page: Watched, tmp_path: Path) -> None:
    write_output(example_result(), "html", tmp_path / "scan.html")
    text = (tmp_path / "scan.html").read_text(encoding="utf-8")
    (tmp_path / "broken.html").write_text(DATA.sub(r"\1[null]\3", text), encoding="utf-8")
    page.page.goto((tmp_path / "broken.html").as_uri())
    assert page.problems  # it is an error indeed
    banner = page.page.locator("#failure")
    assert banner.is_visible()
    assert "TypeError" in banner.inner_text()
    assert "--format text" in banner.inner_text()


def test_a_script_that_may_not_run_is_told_of(browser: Browser, tmp_path: Path) -> None:
    write_output(example_result(), "html", tmp_path / "scan.html")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((tmp_path / "scan.html").as_uri())
    assert "--format text" in page.locator("#list").inner_text()
    context.close()
