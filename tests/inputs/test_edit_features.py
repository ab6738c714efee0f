"""Features come from the edit and what stands around it, and from nothing else."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import count
from equimut.inputs.edit_features.edit import edit_features, find_edit, kind
from oracles.datasets.synthetic_pairs import make_pair

JAVA = "int f(int a, int b) {\n  // a < b\n  if (a < b) {\n    return a;\n  }\n  return b + 10;\n}"


def edited(old: str, new: str, **changes: object) -> object:
    return make_pair(0, origin=JAVA, mutant=JAVA.replace(old, new, 1), **changes)


def test_an_edit_is_found_with_its_line_neighbours_and_syntax() -> None:
    edit = find_edit(edited("(a < b)", "(a <= b)"))
    assert (edit.removed, edit.added) == (("<",), ("<=",))
    assert edit.before == ("a", "(", "if", "{")
    assert edit.after == ("b", ")", "{", "return")
    assert edit.line == ("if", "(", "a", "<", "b", ")", "{")
    assert edit.header[:4] == ("int", "f", "(", "int")
    assert edit.ancestors[:3] == ("binary_expression", "parenthesized_expression", "if_statement")
    assert edit.kind == "< -> <="


@pytest.mark.parametrize(
    ("old", "new", "removed", "added"),
    [
        ("return a;", ";", ("return", "a"), ()),
        ("return a;", "return a++;", (), ("++",)),
        ("10;\n}", "10", (";", "}"), ()),  # up to the very end
        ("int f", "long f", ("int",), ("long",)),  # from the very start
        ("// a < b", "// a > b", (), ()),  # a comment is no edit
        ("", "", (), ()),
    ],
)
def test_edits_at_every_place(
    old: str, new: str, removed: tuple[str, ...], added: tuple[str, ...]
) -> None:
    edit = find_edit(edited(old, new))
    assert (edit.removed, edit.added) == (removed, added)
    assert edit_features(edited(old, new))


def test_features_never_read_label_class_program_operator_or_id() -> None:
    plain = edited("(a < b", "(a <= b")
    other = edited(
        "(a < b",
        "(a <= b",
        label=1,
        class_id=9,
        program="Z.java",
        operators=("ROR",),
        id="other",
        split="x",
    )
    assert edit_features(plain) == edit_features(other)


def test_the_kind_of_a_token_forgets_names_but_not_signs_and_keywords() -> None:
    found = {kind(token) for token in ("left", "_x", "größe")}
    assert found == {"name"}
    assert [kind(token) for token in ("<=", "while", "0", "1", "17", '"a"', "'b'", "")] == (
        ["<=", "while", "0", "1", "number", "text", "text", ""]
    )


def test_the_same_edit_in_another_program_shares_the_anonymous_features() -> None:
    other = JAVA.replace("a", "width").replace("f(", "g(")
    pair = make_pair(1, origin=other, mutant=other.replace("width < b", "width <= b"))
    shared = edit_features(pair).keys() & edit_features(edited("(a < b", "(a <= b")).keys()
    assert "edit kind: < -> <=" in shared
    assert "edit kind < -> <=, parent 0: binary_expression" in shared
    assert "1 before: a" not in shared


@pytest.mark.parametrize("language", ["cobol", "Java", "python", "c"])
def test_any_language_has_features_and_a_known_one_has_syntax(language: str) -> None:
    found = edit_features(edited("(a < b", "(a <= b", language=language))
    assert any("< -> <=" in name for name in found)
    assert any(name.startswith("parent") for name in found) == (language != "cobol")


def test_comments_are_those_of_the_language() -> None:
    code = "def f(a, b):\n    return a // b  # half\n"
    edit = find_edit(
        make_pair(0, language="python", origin=code, mutant=code.replace("// b", "/ b"))
    )
    assert (edit.removed, edit.added, edit.line) == (("//",), ("/",), ("return", "a", "//", "b"))


@settings(max_examples=count(60, 1000))
@given(
    st.text(min_size=1, max_size=80),
    st.text(max_size=80),
    st.sampled_from(["java", "c", "python", "brainfuck"]),
)
def test_no_text_is_too_strange(origin: str, mutant: str, language: str) -> None:
    pair = make_pair(0, origin=origin, mutant=mutant, language=language)
    edit = find_edit(pair)
    assert edit_features(pair) == edit_features(pair)
    if origin == mutant:
        assert (edit.removed, edit.added) == ((), ())


WORDS = st.lists(st.sampled_from(["a", "b", "<", "<=", "+", "1", "(", ")"]), max_size=12)


@given(WORDS, WORDS)
def test_common_start_and_end_with_the_edit_between_them_give_both_sides(
    origin: list[str], mutant: list[str]
) -> None:
    text = " ".join(origin) or ";"
    words = tuple(text.split())
    pair = make_pair(0, origin=text, mutant=" ".join(mutant), language="none")
    edit = find_edit(pair)
    size = len(words) - len(edit.removed)
    start = next(
        at
        for at in range(size + 1)
        if words[:at] + edit.removed + words[len(words) - size + at :] == words
        and words[:at] + edit.added + words[len(words) - size + at :] == tuple(mutant)
    )
    # Nothing that both sides share at their ends is part of the edit.
    assert not (edit.removed and edit.added and edit.removed[0] == edit.added[0])
    assert not (edit.removed and edit.added and edit.removed[-1] == edit.added[-1])
    assert start >= 0
