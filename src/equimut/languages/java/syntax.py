"""Java, as data. The rules make the GraphCodeBERT graph; docs/dataflow.md lists the changes."""

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
    Update,
)

_METHOD = Scope(name="name")
_SWITCH = Choice(
    body="body",
    cases=("switch_block_statement_group", "switch_rule"),
    default=("default",),
    falls_through=("switch_block_statement_group",),
    blocks=("block",),
    exits=(
        "break_statement",
        "return_statement",
        "continue_statement",
        "throw_statement",
        "yield_statement",
    ),
)

_FLOW: dict[str, Rule] = {
    "variable_declarator": Bind(("name",), ("value",), "comesFrom"),
    "resource": Bind(("name",), ("value",), "comesFrom"),
    "instanceof_expression": Bind(("name",), ("left",), "comesFrom"),
    "assignment_expression": Bind(("left",), ("right",)),
    "update_expression": Update(),
    "formal_parameter": Bind(("name",)),
    "catch_formal_parameter": Bind(("name",)),
    "inferred_parameters": Define(),
    "type_pattern": Define(),
    "record_pattern_component": Define(),
    # The grammar puts the word `else` itself among the children. The reference walks it as a way
    # of its own, so what was known before an `if` outlives both of its branches.
    "if_statement": Branch(alternatives=("else",), exhaustive=("else",)),
    # As in the reference, only a `for` that declares its variable is walked twice.
    "for_statement": Loop(needs="local_variable_declaration"),
    "while_statement": Loop(),
    "do_statement": Loop(),
    "enhanced_for_statement": Each("name", "value", "body", ignored=("type",)),
    "switch_expression": _SWITCH,
    "try_statement": Attempt(handlers=("catch_clause",), last=("finally_clause",)),
    "try_with_resources_statement": Attempt(("catch_clause",), ("finally_clause",)),
    "lambda_expression": Scope(parameters=("parameters",)),
    "method_declaration": _METHOD,
    "constructor_declaration": _METHOD,
    "compact_constructor_declaration": _METHOD,
}

LANGUAGE = LanguageSpec(
    name="java",
    title="Java",
    suffixes=(".java",),
    grammar="tree_sitter_java",
    comments=frozenset({"line_comment", "block_comment"}),
    atomic=frozenset({"string_literal", "character_literal"}),
    identifiers=frozenset({"identifier"}),
    members=frozenset(),
    not_values=frozenset(),
    class_types=dict.fromkeys(
        (
            "class_declaration",
            "interface_declaration",
            "enum_declaration",
            "record_declaration",
            "annotation_type_declaration",
            "enum_constant",
        ),
        "name",
    ),
    function_types={
        "method_declaration": "name",
        "constructor_declaration": "name",
        "compact_constructor_declaration": "name",
    },
    flow=_FLOW,
    lexicon=Lexicon(
        line_comments=("//",),
        block_comments=(("/*", "*/"),),
        quotes=('"""', '"', "'"),
        layout="braces",
        keywords=frozenset(
            {"if", "for", "while", "switch", "catch", "synchronized", "try", "return", "new"}
            | {"do", "else", "throw", "super", "this"}
        ),
        nested_functions=True,
        unclear=r"\\u",
    ),
    wrappers=(("class C {", "\n}"),),
    # The JDK alone: other Java projects are kept for evaluation.
    corpus=Corpus(packages=("openjdk-17-source",), test_names=r"(.*Tests?|Test[A-Z].*)"),
    columns="utf-16",
    jvm=True,
)
