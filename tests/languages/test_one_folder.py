"""Outside `languages/` and the oracle's runners, nothing compares a language's name."""

import ast
from collections.abc import Iterator

import pytest

from conftest import ROOT
from equimut.languages import LANGUAGES

PACKAGE = ROOT / "src" / "equimut"
OWN = ("languages/", "oracle/harness/", *(f"oracle/{name}/" for name in LANGUAGES))
"""Where a language may be named: its own folder and its runner."""
NUMBERS_OF_THE_PAPER = ("study/published.py", "study/budget.py")
"""What was published and what is run again, by data set: names of data, nothing asks for them."""
VERSIONS_OF_TOOLS = ("data/audit/report.py", "training/run_files.py")
"""Here `python` is the interpreter that made a file."""
MODULES = sorted(
    name
    for path in PACKAGE.rglob("*.py")
    if not (name := path.relative_to(PACKAGE).as_posix()).startswith(OWN)
)


def is_name(node: ast.AST | None) -> bool:
    """Whether an expression is a language's name, or a tuple that starts with one or holds one."""
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return any(map(is_name, node.elts))
    if isinstance(node, ast.Call):  # frozenset({"c", "java"})
        return any(map(is_name, node.args))
    return isinstance(node, ast.Constant) and node.value in LANGUAGES


def offences(source: str) -> Iterator[int]:
    """The lines that decide something by a language's name."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Compare():
                asked = [node.left, *node.comparators]
            case ast.Dict():
                asked = [key for key in node.keys if key is not None]
            case ast.Subscript():
                asked = [node.slice]
            case ast.MatchValue():
                asked = [node.value]
            case ast.Call(func=ast.Attribute(attr="get")):
                asked = node.args[:1]
            case _:
                continue
        if any(map(is_name, asked)):
            yield getattr(node, "lineno", 0) or asked[0].lineno


@pytest.mark.parametrize("module", MODULES)
def test_no_module_asks_for_a_language_by_name(module: str) -> None:
    found = list(offences((PACKAGE / module).read_text()))
    if module in NUMBERS_OF_THE_PAPER + VERSIONS_OF_TOOLS:
        assert found, f"{module} needs no exception any more"
    else:
        assert not found, f"lines {found}: make it a property of LanguageSpec or Dialect"


@pytest.mark.parametrize(
    "planted",
    [
        'if language == "java": pass',
        'if "c" != program.dialect.name: pass',
        'if language in ("c", "java"): pass',
        'if language not in frozenset({"python"}): pass',
        'TABLE = {"java": 1}',
        'TABLE = {("c", "cpl"): 1}',
        'x = table["python"]',
        'x = table.get("c")',
        'match language:\n    case "c":\n        pass',
    ],
)
def test_a_planted_comparison_is_seen(planted: str) -> None:
    assert list(offences(planted)), planted


@pytest.mark.parametrize(
    "allowed",
    ['def f(language: str = "java"): pass', 'mutate(text, "c")', 'x = "c" + y', 'x = {"a": "c"}'],
)
def test_a_name_as_plain_data_is_allowed(allowed: str) -> None:
    assert not list(offences(allowed))
