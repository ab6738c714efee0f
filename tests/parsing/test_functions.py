"""Functions are found with their names and places, also where the grammar gives up."""

import time
from collections.abc import Iterator
from itertools import pairwise

import pytest

from conftest import shared_file
from equimut.languages import get_language
from equimut.languages.spec import Lexicon
from equimut.parsing.functions import functions
from equimut.parsing.lexical import blanked, lexical_functions
from equimut.parsing.tree import nodes_of, parse, walk

OLD_C = """\
/* int no(a) { } */
#define MAX(a, b) \\
   ((a) > (b) ? (a) : (b))
int count = 0, table[] = {1, 2};
struct point { int x; };
int proto(int a);

static char *modern(int a) { return "{"; }

main(argc, argv)
    int argc;
    char *argv[];
{
    if (argc) { count = '}'; }
    return MAX(argc, 1);
}

short_one() { return 1; }

int
#ifdef ANSI
both(int a) {
#else
both(a) int a; {
#endif
    return a;
}

PRIVATE int with_macro(int a) { return a; }
"""


def test_old_c_functions_are_found_by_their_shape() -> None:
    tree = parse(OLD_C, "c")
    assert tree.errors
    found = functions(tree)
    names = [function.name for function in found]
    assert names == ["modern", "main", "short_one", "both", "with_macro"]
    bodies = {function.name: OLD_C[function.start : function.end] for function in found}
    assert bodies["main"].startswith("main(argc, argv)")
    assert bodies["main"].endswith("return MAX(argc, 1);\n}")
    assert bodies["modern"] == 'static char *modern(int a) { return "{"; }'
    assert bodies["both"].endswith("return a;\n}")
    assert {function.name for function in found if function.lexical} >= {"main", "short_one"}


def test_a_body_that_error_recovery_never_closes_ends_where_its_braces_do() -> None:
    code = (
        "void f(int a) {\n switch (a) {\n#ifdef A\n case 1: {\n#else\n case 2: {\n#endif\n"
        " g();\n }\n }\n}\nint k(b) int b; { return 2; }\nint m(void) { return 2; }\n"
    )
    found = functions(parse(code, "c"))
    places = [(function.name, function.start_line, function.end_line) for function in found]
    assert places == [("f", 1, 11), ("k", 12, 12), ("m", 13, 13)]


def test_a_statement_inside_a_function_is_not_taken_for_one() -> None:
    code = (
        "int f(int a) {\n MACRO if (a) { a = 1; }\n return (a;\n}\nint g(b) int b; { return b; }\n"
    )
    assert [function.name for function in functions(parse(code, "c"))] == ["f", "g"]


def test_a_header_that_the_grammar_takes_for_a_declaration_is_a_function() -> None:
    code = "static struct d *\nread_it (s)\n     ptr_t s;\n{\n  return s;\n}\n"
    tree = parse(code, "c")
    assert not tree.errors
    assert [(f.name, f.lexical, f.start_line, f.end_line) for f in functions(tree)] == [
        ("read_it", True, 1, 6)
    ]


def test_correct_code_is_read_by_the_grammar_alone() -> None:
    code = "int f(void) { return 1; }\nint g(int a) __attribute__((x)) { return a; }\n"
    assert [(f.name, f.lexical) for f in functions(parse(code, "c"))] == [
        ("f", False),
        ("g", False),
    ]


def test_java_methods_are_found_in_a_broken_file() -> None:
    code = (
        "class A { int f(int a) throws E { if (a) { } else if (b) { } return a; @@@ } } }}\n"
        "int g(B<C> b) { new D() {}; while (b) { } }"
    )
    tree = parse(code, "java")
    assert tree.errors
    assert {"f", "g"} <= {function.name for function in functions(tree)}
    shapes = lexical_functions(code.encode(), get_language("java").lexicon)
    assert [shape.name for shape in shapes] == ["f", "g"]


def test_python_functions_are_found_by_indentation() -> None:
    code = (
        "class A:\n    def f(self):\n        '''def no(): {'''\n        x = (\n\n"
        "    def g(s): 1\ny = 2\n"
    )
    shapes = lexical_functions(code.encode(), get_language("python").lexicon)
    assert [shape.name for shape in shapes] == ["f", "g"]
    assert code[shapes[0].start : shapes[0].end].endswith("x = (")
    assert code[shapes[1].start : shapes[1].end] == "def g(s): 1"
    assert {"f", "g"} <= {function.name for function in functions(parse(code, "python"))}


def test_blanking_keeps_every_offset_and_line() -> None:
    lexicon = get_language("c").lexicon
    text = blanked(OLD_C.encode(), lexicon)
    assert len(text) == len(OLD_C.encode())
    assert text.count(b"\n") == OLD_C.count("\n")
    assert text.count(b"{") == text.count(b"}")


def test_a_function_in_a_function_comes_after_it() -> None:
    code = "def f():\n    def g():\n        return 1\n    return g\n"
    found = [(one.name, one.start_line, one.end_line) for one in functions(parse(code, "python"))]
    assert found == [("f", 1, 4), ("g", 2, 3)]


def test_a_file_without_functions_has_none() -> None:
    assert functions(parse("int a = 1;\n", "c")) == ()


PIECES = (b"f(", b"f() ", b"{", b"f(){", b"/*", b"#if\n", b"a;", b'"', b"= f()", b"\\\n#")


def seconds(piece: bytes, size: int, lexicon: Lexicon) -> Iterator[float]:
    """Three times: another process or the garbage collector may be in the way of one."""
    text = piece * (size // len(piece)) + b"{"
    for _ in range(3):
        began = time.process_time()
        lexical_functions(text, lexicon)
        yield time.process_time() - began


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("language", ["c", "java"])
def test_hostile_text_is_scanned_in_linear_time(language: str, piece: bytes) -> None:
    lexicon = get_language(language).lexicon
    small = min(seconds(piece, 30_000, lexicon))
    # Eight times the text: eight times the time, with room for chance; squared it would be 64.
    assert any(large < 40 * max(small, 0.005) for large in seconds(piece, 240_000, lexicon))


def test_no_real_c_program_loses_functions_to_its_neighbours() -> None:
    for path in shared_file("data", "mutantbench", "programs").glob("*.c"):
        found = functions(parse(path.read_bytes(), "c"))
        assert all(one.end <= two.start for one, two in pairwise(found))
        assert not {"if", "while", "for", "switch"} & {function.name for function in found}


def test_equal_functions_in_one_place_have_numbers_and_overloads_have_none() -> None:
    source = """class A {
    int f(int a) { return a; }
    int f(long a) { return 1; }
    int f(int /* the same */ a) { return a; }
    int f( int a ) { return a + 1; }
    int f(int a) { /* and again */ return a; }
    int g(int a) { return a; }
}
class A { int f(int a) { return a; } }
"""
    owners = [(each.name, each.owner) for each in functions(parse(source, "java"))]
    assert owners == [
        ("f", "A"), ("f", "A"), ("f", "A#2"), ("f", "A"), ("f", "A#3"), ("g", "A"), ("f", "A#4"),
    ]  # fmt: skip


@pytest.mark.parametrize("language", ["java", "python"])
def test_the_parser_finds_the_nodes_that_a_walk_meets(language: str) -> None:
    spec = get_language(language)
    types = (*spec.function_types, *spec.class_types)
    texts = {
        "java": "class A { int f() { return new B() { int g() { return 1; } }.g(); } int h( { } }",
        "python": "class A:\n  def f(self):\n    def g():\n      pass\n  def h(self:\n",
    }
    for text in (texts[language], texts[language][:-4], "", ";", texts[language] * 2):
        tree = parse(text, language)
        met = [(node.start_byte, node.end_byte) for node in walk(tree.root) if node.type in types]
        found = [(node.start_byte, node.end_byte) for node in nodes_of(tree, types)]
        assert sorted(found) == sorted(met)
