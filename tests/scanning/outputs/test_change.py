"""A change as it is shown: nothing is lost, only what differs is marked, columns are right."""

from hypothesis import given
from hypothesis import strategies as st

from equimut.reports.reported import Change
from equimut.reports.sources import SourceFile
from equimut.scanning.outputs.change_view import change_view, one_line
from equimut.scanning.outputs.places import edit_span, source_region, span_region, width
from equimut.storage.files import shown
from oracles.scans.scan_results import CART, RANGES, SOURCES, reported

CODE = st.text(alphabet=list("ab<=+ \n\t(){};é😀"), max_size=40)


def change(old: str, new: str, scope: str = "function", **fields: object) -> Change:
    values: dict[str, object] = {
        "scope": scope, "function": "f", "start_line": 7, "start_byte": 0, "end_byte": 0,
        "original": "", "replacement": "", "origin_function": old, "mutant_function": new,
    }  # fmt: skip
    return Change.model_validate({**values, **fields})


def squeezed(text: str) -> str:
    return "".join(text.split())


@given(CODE, CODE, CODE, CODE)
def test_both_texts_can_be_put_together_again(head: str, old: str, new: str, tail: str) -> None:
    """Blanks aside, which indentation and tabs change: the lines are those of the two texts."""
    view = change_view(change(head + old + tail, head + new + tail))
    first, end = view.first, view.first + len(view.before)
    for lines, text in ((view.before, head + old + tail), (view.after, head + new + tail)):
        changed = ["".join(line) for line in lines]
        whole = [*view.lines[:first], *changed, *view.lines[end:]]
        assert squeezed("\n".join(whole)) == squeezed(text)


@given(CODE, CODE, CODE, CODE)
def test_what_is_not_marked_is_the_same_on_both_sides(
    head: str, old: str, new: str, tail: str
) -> None:
    view = change_view(change(head + old + tail, head + new + tail))
    plain = [
        squeezed("".join("".join(line[::2]) for line in lines))
        for lines in (view.before, view.after)
    ]
    assert plain[0] == plain[1]


@given(CODE, CODE, CODE, CODE)
def test_the_single_line_says_both(head: str, old: str, new: str, tail: str) -> None:
    texts = [part.replace("\n", " ") for part in (head, old, new, tail)]
    before, after = texts[0] + texts[1] + texts[3], texts[0] + texts[2] + texts[3]
    inline = change_view(change(before, after)).inline
    if before != after:
        for sign, text in (("-", before), ("+", after)):
            line = "".join(part for kind, part in inline if kind in ("=", sign))
            assert squeezed(line) == squeezed(text)


def test_a_word_is_marked_as_a_whole_and_nothing_else() -> None:
    view = change_view(change("x = count + 1;", "x = counter + 1;"))
    assert view.before == (("x = ", "count", " + 1;"),)
    assert view.after == (("x = ", "counter", " + 1;"),)
    view = change_view(change("{\n    go(on);\n}", "{\n    stop(on);\n}"))
    assert view.before == (("    ", "go", "(on);"),)  # blanks at the border are not part of it
    view = change_view(change("return a b;", "return c d;"))
    assert view.before == (("return ", "a b", ";"),)  # blanks between two changes are
    assert change_view(change("a ", "b ")).before == (("", "a", " "),)


def test_the_common_indentation_is_taken_away() -> None:
    method = "int f() {\n\t\tint a = 1;\n\t\treturn a;\n\t}"
    view = change_view(change(method, method.replace("1", "2")))
    assert view.lines == ("int f() {", "    int a = 1;", "    return a;", "}")
    assert view.before == (("    int a = ", "1", ";"),)
    python = "def f(self):\n        if self:\n            return 1"
    view = change_view(change(python, python.replace("1", "2")))
    assert view.lines == ("def f(self):", "    if self:", "        return 1")


def test_a_line_that_is_gone_takes_no_other_with_it() -> None:
    old = "f() {\n    a();\n    b();\n    c();\n}"
    view = change_view(change(old, old.replace("    b();\n", "")))
    assert (view.first, view.before, view.after) == (2, (("    ", "b();"),), ())
    back = change_view(change(old.replace("    b();\n", ""), old))
    assert (back.first, back.before, back.after) == (2, (), (("    ", "b();"),))
    assert one_line(change(old, old.replace("    b();\n", ""))) == "`b();` removed"


def test_a_huge_change_is_marked_as_a_whole() -> None:
    old, new = "a + " * 3000, "b - " * 3000
    view = change_view(change(f"x = {old};", f"x = {new};"))
    assert len(view.before) == 1
    assert view.before[0][0].startswith("x = ")


def test_signs_that_cannot_be_seen_are_written_out() -> None:
    assert shown("a\x1b[0m\u202eb\u2028c\td\r") == "a\\x1b[0m\\u202eb\\u2028c    d"
    assert shown("größe 😀") == "größe 😀"


@given(CODE, CODE, CODE, CODE)
def test_the_edit_is_found_in_its_function(head: str, old: str, new: str, tail: str) -> None:
    given = change(head + old + tail, head + new + tail, original=old, replacement=new)
    start, end = edit_span(given)
    text = given.origin_function
    if old != new:
        assert text[start:end] == old
        assert text[:start] + new + text[end:] == given.mutant_function


def test_regions_point_at_the_original_text() -> None:
    for file, old, new in (
        (RANGES, "low <= high", "low < high"),
        (CART, "        audit(sum);\n", ""),
        (CART, "sum * discount / 100", "0"),
    ):
        found = reported(0, file, old, new).change
        assert found is not None
        region = source_region(SourceFile(file, SOURCES[file], "java"), found, "characters")
        lines = SOURCES[file].splitlines(keepends=True)
        assert region.start_column is not None
        assert region.end_column is not None
        start = sum(map(len, lines[: region.start_line - 1])) + region.start_column - 1
        end = sum(map(len, lines[: region.end_line - 1])) + region.end_column - 1
        assert SOURCES[file][start:end] == old


def test_columns_count_what_the_other_tool_counts() -> None:
    assert [width("é😀x", unit) for unit in ("characters", "utf-16", "bytes")] == [3, 4, 7]
    region = span_region("a\né😀", "x\nyz", 5, "utf-16")
    assert (region.start_line, region.start_column) == (6, 4)
    assert (region.end_line, region.end_column) == (7, 3)


def test_of_a_very_long_line_the_part_around_the_edit_is_shown() -> None:
    """Minified code is one line: a page of thousands of mutants must not hold it each time."""
    old = f"{'a+b;' * 50_000}x<y;{'c+d;' * 50_000}"
    view = change_view(change(old, old.replace("x<y", "x<=y")))
    assert [line[1::2] for line in (*view.before, *view.after)] == [("<",), ("<=",)]
    assert "x<y;c+d;" in "".join(view.before[0])
    assert len("".join(view.before[0])) < 700
    assert len("".join(view.lines)) <= 600
    assert edit_span(change(old, old.replace("x<y", "x<=y"), original="<", replacement="<=")) == (
        200_001,
        200_002,
    )
