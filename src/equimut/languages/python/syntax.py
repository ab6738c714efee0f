"""Python, as data."""

from equimut.languages import LanguageSpec
from equimut.languages.spec import (
    Attempt,
    Bind,
    Branch,
    Choice,
    Corpus,
    Define,
    Each,
    Lexicon,
    Loop,
    Rule,
    Scope,
)

_LISTS = (
    "pattern_list",
    "tuple_pattern",
    "list_pattern",
    "expression_list",
    "tuple",
    "list",
)
_COMPREHENSION = Scope(parameters=("for_in_clause",), first=("for_in_clause", "if_clause"))

_FLOW: dict[str, Rule] = {
    "assignment": Bind(("left",), ("right",), pairs=_LISTS),
    "augmented_assignment": Bind(("left",), ("right",)),
    "named_expression": Bind(("name",), ("value",)),
    "as_pattern": Bind(("alias", -1), (0,)),
    "for_in_clause": Bind(("left",), ("right",), pairs=_LISTS),
    "default_parameter": Bind(("name",), ("value",), "comesFrom"),
    "typed_default_parameter": Bind(("name",), ("value",), "comesFrom"),
    "parameters": Define(),
    "lambda_parameters": Define(),
    "typed_parameter": Define(),
    "list_splat_pattern": Define(),
    "dictionary_splat_pattern": Define(),
    "if_statement": Branch(("elif_clause", "else_clause"), exhaustive=("else_clause",)),
    "for_statement": Each("left", "right", "body", pairs=_LISTS),
    "while_statement": Loop(),
    "try_statement": Attempt(("except_clause",), ("finally_clause",), ("else_clause",)),
    "match_statement": Choice(
        body="body",
        cases=("case_clause",),
        default=("_",),
        subject="subject",
        pattern="case_pattern",
        captures=("dotted_name", "splat_pattern", "as_pattern"),
        not_captures=("class_pattern",),
    ),
    "list_comprehension": _COMPREHENSION,
    "set_comprehension": _COMPREHENSION,
    "dictionary_comprehension": _COMPREHENSION,
    "generator_expression": _COMPREHENSION,
    "lambda": Scope(parameters=("parameters",)),
    "function_definition": Scope(name="name"),
}

LANGUAGE = LanguageSpec(
    name="python",
    title="Python",
    suffixes=(".py", ".pyi"),
    grammar="tree_sitter_python",
    comments=frozenset({"comment"}),
    atomic=frozenset({"string"}),
    identifiers=frozenset({"identifier"}),
    members=frozenset(),
    not_values=frozenset(),
    class_types={"class_definition": "name"},
    function_types={"function_definition": "name"},
    flow=_FLOW,
    lexicon=Lexicon(
        line_comments=("#",),
        block_comments=(),
        quotes=('"""', "'''", '"', "'"),
        layout="indentation",
        keywords=frozenset(),
        nested_functions=True,
    ),
    wrappers=(("if 1:\n", ""),),
    corpus=Corpus(of_interpreter=True, docstrings=True),
)
