"""The page in a real browser: opens from disk, filters, keys, strangers' code stays text."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Browser, Page, expect

from equimut.scanning.outputs import OutputError, write_output
from equimut.scanning.outputs.html_format import PAGE
from equimut.scanning.outputs.page_rows import embedded
from equimut.scanning.records import ScanResult
from oracles.scans.browser import Watched, opened_browser
from oracles.scans.scan_results import (
    CART,
    RANGES,
    example_result,
    example_verdicts,
    reported,
    scan_result,
    verdict,
)

Opener = Callable[..., Watched]
RANKED = [1, 6, 12, 9, 0, 2, 11, 10, 13, 5, 8, 4, 7, 3]
"""Positions in the report: an input found, then rising probability with those without a verdict
at one half, then what counts: predicted, accepted, proved."""
EVIL = "<script>alert(1)</script></script><!--<img src=x onerror=alert(2)>\u2028&lt;"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from opened_browser()


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("page") / "scan.html"
    write_output(example_result(), "html", out)
    return out


@pytest.fixture
def opened(browser: Browser) -> Iterator[Opener]:
    """Opens a page from disk; at the end no error may have been reported on any."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    pages: list[Watched] = []

    def open_page(path: Path, hash: str = "", **size: int) -> Watched:
        pages.append(Watched(context.new_page()))
        if size:
            pages[-1].page.set_viewport_size(size)  # type: ignore[arg-type]
        pages[-1].page.goto(path.as_uri() + hash)
        return pages[-1]

    yield open_page
    problems = [problem for page in pages for problem in page.problems]
    context.close()
    assert problems == []


def page_of(result: ScanResult, folder: Path) -> Path:
    write_output(result, "html", folder / "scan.html")
    return folder / "scan.html"


def indices(page: Page) -> list[int]:
    """The mutants of the list as drawn, by their position in the report."""
    found: list[int] = page.evaluate(
        "[...document.querySelectorAll('.mutant')].map((node) => node.row.rank[2])"
    )
    return found


def selected(page: Page) -> int:
    found: int = page.evaluate("document.querySelector('.mutant.selected').row.rank[2]")
    return found


def test_it_opens_from_disk_and_loads_nothing(opened: Opener, example: Path) -> None:
    watched = opened(example)
    assert watched.requests[0].startswith("file://")
    assert all(url.startswith("data:") for url in watched.requests[1:])
    text = watched.page.inner_text("main")
    assert "7 of 14 survivors are worth a test" in text
    for value in ("68.2", "73.2", "75.0"):
        assert value in text
    legend = dict(re.findall(r"(?m)^(\d+) (\D+)$", watched.page.inner_text(".legend"))[::-1])
    assert legend == {"7": "Worth a test", "2": "Cannot tell", "1": "Undecided"}
    assert watched.page.locator(".part").count() == 7


def test_real_gaps_come_first_and_the_first_is_open(opened: Opener, example: Path) -> None:
    page = opened(example).page
    assert indices(page) == RANKED
    assert page.locator(".mutant.open").count() == 1
    assert page.locator(".mutant").first.locator(".body").is_visible()
    page.select_option("#sort", "place")
    places = page.evaluate(
        "[...document.querySelectorAll('.mutant')].map((node) => [node.row.file, node.row.line])"
    )
    assert places == sorted(places)


def test_the_two_sides_show_the_function_before_and_after(opened: Opener, example: Path) -> None:
    page = opened(example).page
    first = page.locator(".mutant").first
    assert first.locator(".left del").all_inner_texts() == [">>>"]
    assert first.locator(".right ins").all_inner_texts() == ["<<"]
    assert first.locator(".left del").count() == 1
    first.get_by_role("button", name="Show the whole function").click()
    change = example_verdicts()[1].mutant.change
    assert change is not None
    for side, text in (("left", change.origin_function), ("right", change.mutant_function)):
        shown = first.locator(f".{side} code").all_inner_texts()
        assert [line.strip() for line in shown] == [line.strip() for line in text.split("\n")]
    numbers = first.locator(".left .no").all_inner_texts()
    assert numbers == [str(change.start_line + n) for n in range(len(numbers))]


def test_a_deleted_statement_leaves_a_gap_on_the_other_side(opened: Opener, example: Path) -> None:
    page = opened(example).page
    page.fill("#search", "audit")
    page.locator(".head").click()
    assert page.locator(".cell.old").inner_text().strip().endswith("audit(sum);")
    assert page.locator(".cell.new").count() == 0
    assert page.locator(".cell.void.right").count() == 1
    same = page.locator(".cell.same.right .no").all_inner_texts()
    assert same == ["15", "16", "17", "18", "19"]  # the mutant's own lines


def test_both_sides_of_a_longer_change_stay_in_line(opened: Opener, tmp_path: Path) -> None:
    old = "if (discount > 0) {\n            sum -= sum * discount / 100;"
    new = "if (true) {\n            sum = 0;\n            sum -= sum * discount;"
    found = verdict(reported(0, CART, old, new), "not-equivalent", "killed")
    page = opened(page_of(scan_result([found]), tmp_path)).page
    tops = "[...document.querySelectorAll('.diff .SIDE')].map((n) => n.getBoundingClientRect().top)"
    left, right = (page.evaluate(tops.replace("SIDE", side)) for side in ("left", "right"))
    assert left == right == sorted(left)
    assert page.inner_text(".inline").startswith("if (discount > 0→true) {")
    page.set_viewport_size({"width": 390, "height": 844})
    signs = [sign for sign in page.locator(".cell:visible .sign").all_inner_texts() if sign]
    assert len(signs) == 5  # on a phone: what goes, then what comes
    order = page.evaluate(
        "[...document.querySelectorAll('.cell.old, .cell.new')].sort((a, b) =>"
        " a.getBoundingClientRect().top - b.getBoundingClientRect().top)"
        ".map((n) => n.classList.contains('old') ? '-' : '+').join('')"
    )
    assert order == "--+++"


FILTERED = [
    ("finding", "worth-a-test", [1, 6, 12, 9, 0, 2, 11]),
    ("finding", "undecided", [5]),
    ("finding", "predicted-equivalent", [4]),
    ("tier", "killed", [1]),
    ("tier", "unknown", [10, 13]),
    ("file", CART, [12, 9, 11, 10, 13, 8, 7]),
    ("operator", "MathMutator", [1, 9]),
]


def test_filters_leave_what_fits(opened: Opener, example: Path) -> None:
    page = opened(example).page
    for field, value, expected in FILTERED:
        page.select_option(f"#{field}", value)
        assert indices(page) == expected
        assert page.inner_text("#count") == f"{len(expected)} of 14 mutants"
        page.click("#reset")
        assert indices(page) == RANKED
        assert page.inner_text("#count") == "14 mutants"


def test_filters_combine_with_the_search(opened: Opener, example: Path) -> None:
    page = opened(example).page
    page.select_option("#file", RANGES)
    page.fill("#search", "Boundary  MAX")  # words in any order, any case
    assert indices(page) == [3]
    page.fill("#search", "sorted[middle] <= key")
    assert indices(page) == [2]
    key = example_verdicts()[2].key
    assert key is not None
    page.fill("#search", key.text)
    assert indices(page) == [2]
    page.fill("#search", "nothing like this")
    assert page.inner_text("#list") == "No mutant fits these filters."


def test_a_part_of_the_bar_is_a_filter(opened: Opener, example: Path) -> None:
    page = opened(example).page
    part = page.get_by_role("button", name="2 Cannot tell")
    part.click()
    assert indices(page) == [10, 13]
    assert part.get_attribute("aria-pressed") == "true"
    part.click()
    assert len(indices(page)) == 14


def test_keys_move_open_search_and_help(opened: Opener, example: Path) -> None:
    page = opened(example).page
    keyboard = page.keyboard
    keyboard.press("j")
    keyboard.press("j")
    assert selected(page) == RANKED[1]
    keyboard.press("k")
    assert selected(page) == RANKED[0]
    assert page.evaluate("document.activeElement.className") == "head"
    keyboard.press("o")
    assert page.locator(".mutant.open").count() == 0
    keyboard.press("Enter")  # the focus is on the row's own button
    assert page.locator(".mutant.open").count() == 1
    keyboard.press("/")
    keyboard.type("jo/k?")
    assert page.input_value("#search") == "jo/k?"
    keyboard.press("Escape")
    assert page.evaluate("document.activeElement.id") != "search"
    keyboard.press("Escape")
    assert page.input_value("#search") == ""
    keyboard.press("?")
    assert page.locator("dialog#help").is_visible()
    keyboard.press("Escape")
    assert page.locator("dialog#help").is_hidden()


def test_key_and_command_can_be_copied(opened: Opener, example: Path) -> None:
    page = opened(example).page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    assert page.get_by_role("button", name="Copy accept command").count() == 0  # an input is known
    key = example_verdicts()[RANKED[1]].key
    assert key is not None
    page.locator(".head").first.click()
    page.locator(".head").nth(1).click()
    page.get_by_role("button", name="Copy key").click()
    page.wait_for_selector("#toast.on")
    assert page.evaluate("navigator.clipboard.readText()") == key.text
    page.keyboard.press("a")
    expect(page.locator("#toast")).to_contain_text("Command copied")
    command = page.evaluate("navigator.clipboard.readText()")
    assert command == f'equimut accept {key.text} --reason "..."'
    page.select_option("#finding", "undecided")
    page.keyboard.press("j")
    page.keyboard.press("r")
    unsure = example_verdicts()[5].key
    assert unsure is not None
    expect(page.locator("#toast")).to_contain_text(f"equimut reject {unsure.text}")


@pytest.mark.parametrize("head", ["def test_find():", "static void test_find(void) {"])
def test_the_suggested_test_is_shown_and_can_be_copied(
    opened: Opener, tmp_path: Path, head: str
) -> None:
    mutant = reported(0, RANGES, "low <= high", "low < high")
    test = f"{head}\n    assert find([3], 3) == 0  # {EVIL}\n"
    found = verdict(mutant, "not-equivalent", "killed", reason="find([3], 3)", test=test)
    other = verdict(reported(1, RANGES, ">>> 1", "<< 1"), "not-equivalent", "killed")
    watched = opened(page_of(scan_result([found, other]), tmp_path))
    page = watched.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    seen = test.replace("\u2028", "\\u2028")
    assert page.locator(".test pre").inner_text().strip() == seen.strip()
    page.get_by_role("button", name="Copy test").click()
    expect(page.locator("#toast")).to_have_text("Test copied: test_find")
    assert page.evaluate("navigator.clipboard.readText()") == seen
    page.locator(".head").first.click()
    page.locator(".head").nth(1).click()
    assert page.get_by_role("button", name="Copy test").count() == 0
    assert watched.problems == []


def test_code_and_names_of_strangers_are_text(opened: Opener, tmp_path: Path) -> None:
    code = f'class A {{ boolean f(int a) {{ String s = "{EVIL}"; return a < 3; }} }}\n'
    evil = reported(
        0, f"{EVIL}.java", "a < 3", f'"{EVIL}".equals(a)', text=code, operator=EVIL,
        description=EVIL, id=EVIL, language="java",
    )  # fmt: skip
    assert evil.change is not None
    found = verdict(evil, "not-equivalent", "killed", reason=EVIL)
    result = scan_result([found], path=Path(f"{EVIL}.xml"), notes=(EVIL,))
    watched = opened(page_of(result, tmp_path))
    page = watched.page
    page.wait_for_timeout(100)
    seen = EVIL.replace("\u2028", "\\u2028")
    assert f'String s = "{seen}"' in page.locator(".left code").first.inner_text()
    assert seen in page.locator(".right ins").first.inner_text()
    for part in (".facts", ".notes", ".path", "#operator", "#file"):
        assert seen[-20:] in page.locator(part).inner_text()
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 3
    assert watched.problems == []  # a dialog would be one


def test_only_the_page_s_own_script_may_run(browser: Browser, example: Path) -> None:
    page = browser.new_page()
    page.goto(example.as_uri())
    page.evaluate(
        "() => { const one = document.createElement('script');"
        " one.textContent = 'window.ran = true'; document.body.append(one);"
        " document.body.insertAdjacentHTML('beforeend',"
        ' \'<img src="data:," onerror="window.ran = true">\'); }'
    )
    page.wait_for_timeout(100)
    assert page.evaluate("window.ran") is None
    page.close()


def test_a_phone_shows_everything_without_scrolling_sideways(
    opened: Opener, tmp_path: Path
) -> None:
    long = "very" * 40
    code = f"class A {{ int {long}(int a) {{ return {'a + ' * 50}a < 3 ? 1 : 0; }} }}\n"
    mutant = reported(
        50, f"src/{'deep/' * 20}{long}.java", "a < 3", "a <= 3", text=code, operator=f"x.{long}"
    )
    wide = verdict(mutant, "not-equivalent", "killed", reason=long * 3)
    result = scan_result([*example_verdicts(), wide], path=Path(long * 2))
    page = opened(page_of(result, tmp_path), width=390, height=844).page
    assert page.locator("#finding").is_hidden()
    page.click("#filters-toggle")
    assert page.locator("#finding").is_visible()
    for head in page.locator(".head").all():
        if head.get_attribute("aria-expanded") == "false":
            head.click()
    assert page.locator(".mutant.open").count() == 15
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    wider = "[...document.querySelectorAll('main *')].filter((n) => n.getBoundingClientRect().right"
    assert (
        page.evaluate(f"{wider} > 391 && !n.closest('svg, select, .inline, .hidden')).length") == 0
    )
    assert not page.locator(".cell.twin").first.is_visible()  # one column: no line twice


def test_thousands_of_mutants_do_not_freeze_it(opened: Opener, tmp_path: Path) -> None:
    base = example_verdicts()
    many = [
        each.model_copy(update={"mutant": each.mutant.model_copy(update={"index": number})})
        for number in range(5000)
        for each in [base[number % len(base)]]
    ]
    path = page_of(scan_result(many), tmp_path)
    assert path.stat().st_size < 6_000_000
    start = monotonic()
    page = opened(path).page
    assert page.inner_text("#count") == "5,000 mutants"
    loaded = monotonic() - start
    assert len(indices(page)) == 60
    start = monotonic()
    page.fill("#search", "audit")
    expect(page.locator("#count")).to_have_text("357 of 5,000 mutants")
    searched = monotonic() - start
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(page.locator(".mutant").nth(61)).to_be_attached()
    assert loaded < 60  # a second or two, on a machine that is not busy
    assert searched < 30
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert len(indices(page)) == 357


def test_a_link_with_a_key_opens_that_mutant(opened: Opener, example: Path) -> None:
    key = example_verdicts()[7].key
    assert key is not None
    page = opened(example, f"#{key.text}").page
    assert selected(page) == 7
    assert page.locator(".mutant.open.selected").count() == 1


def test_print_leaves_out_what_paper_cannot_do(opened: Opener, example: Path) -> None:
    page = opened(example).page
    page.emulate_media(media="print")
    assert page.locator(".filters").is_hidden()
    assert page.locator(".actions").first.is_hidden()
    assert page.locator(".diff").first.is_visible()


def test_it_can_be_used_without_seeing_it(opened: Opener, example: Path) -> None:
    page = opened(example).page
    for role in ("banner", "main", "contentinfo", "search"):
        assert page.get_by_role(role).count() == 1
    assert page.locator("h1").count() == 1
    unnamed = page.evaluate(
        "[...document.querySelectorAll('input, select')].filter((n) => !n.labels.length).length"
        " + [...document.querySelectorAll('button')].filter((n) => !(n.innerText.trim()"
        " || n.getAttribute('aria-label') || n.closest('dialog'))).length"
    )
    assert unnamed == 0
    assert page.locator(".cell.old .hidden").first.text_content() == "removed "


def test_the_theme_can_be_switched(opened: Opener, example: Path) -> None:
    page = opened(example).page
    paper = "getComputedStyle(document.body).backgroundColor"
    before = page.evaluate(paper)
    page.click("#theme")
    assert page.evaluate(paper) != before
    page.click("#theme")
    assert page.evaluate(paper) == before


def test_nothing_judged_is_a_page_too(opened: Opener, tmp_path: Path) -> None:
    page = opened(page_of(scan_result([]), tmp_path)).page
    assert page.inner_text("h1") == "No mutant survived"
    assert page.inner_text("#list") == "No mutant was judged."


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    bright, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_every_text_colour_can_be_read(theme: int) -> None:
    """WCAG AA: 4.5 to 1, on every ground it can stand on."""
    style = (PAGE / "page.css").read_text()
    colours = re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", style)
    palette = {name: pair[theme] for name, *pair in colours}
    tokens = re.findall(r"\.t-(\w) \{ color: light-dark\((#\w{6}), (#\w{6})\)", style)
    palette |= {f"token-{name}": pair[theme] for name, *pair in tokens}
    grounds = [palette[name] for name in ("paper", "card", "raised")]
    texts = [
        "ink", "soft", "gap", "unsure", "blind", "predicted", "unrefuted", "accepted", "proved",
        "done",
    ]  # fmt: skip
    faint = {
        (name, ground): round(contrast(palette[name], ground), 2)
        for name in texts
        for ground in grounds
        if contrast(palette[name], ground) < 4.5
    }
    assert faint == {}
    code = [palette[name] for name in ("card", "raised", "old", "new")]
    for name in ("token-k", "token-s", "token-n", "token-c", "ink"):
        assert min(contrast(palette[name], ground) for ground in code) >= 4.5, name
    for mark in ("old-mark", "new-mark"):  # in the edit all words have one colour
        assert contrast(palette["ink"], palette[mark]) >= 4.5


@given(st.recursive(st.text() | st.integers(), st.lists))
def test_embedded_data_comes_back_and_holds_no_markup(value: object) -> None:
    text = str(embedded(value))
    assert json.loads(text) == value
    assert not re.search(r"[<>&\u2028\u2029]|[^\x20-\x7e]", text)


def test_a_page_must_be_a_file() -> None:
    with pytest.raises(OutputError, match="--out"):
        write_output(example_result(), "html")
