"""C, as data."""

from equimut.languages import LanguageSpec
from equimut.languages.spec import (
    Bind,
    Branch,
    Choice,
    Corpus,
    Define,
    Lexicon,
    Loop,
    Rule,
    Scope,
    Skip,
    Update,
)

_FLOW: dict[str, Rule] = {
    "init_declarator": Bind(("declarator",), ("value",), "comesFrom", declared=True),
    "declaration": Define("declarator", unless=("init_declarator",)),
    "parameter_declaration": Define("declarator"),
    "assignment_expression": Bind(("left",), ("right",)),
    "update_expression": Update(),
    "if_statement": Branch(alternatives=("else_clause",), exhaustive=("else_clause",)),
    "for_statement": Loop(once="initializer"),
    "while_statement": Loop(),
    "do_statement": Loop(),
    "switch_statement": Choice(
        body="body",
        cases=("case_statement",),
        default=("default",),
        falls_through=("case_statement",),
        blocks=("compound_statement",),
        exits=("break_statement", "return_statement", "continue_statement", "goto_statement"),
    ),
    "function_definition": Scope(name="declarator"),
    "preproc_include": Skip(),
    "preproc_def": Skip(),
    "preproc_function_def": Skip(),
    "preproc_call": Skip(),
}

# Programs and libraries of many kinds. Not `flex` and `make`: MutantBench is made from them.
_PACKAGES = (
    *("bzip2", "busybox", "coreutils", "curl", "ffmpeg", "flac", "freetype", "gawk", "git"),
    *("glpk", "gmp", "grep", "gsl", "igraph", "jq", "libevent", "libgcrypt20", "libpng1.6"),
    *("libtommath", "libzstd", "lua5.4", "mpfr4", "musl", "nettle", "nginx", "openssl", "opus"),
    *("postgresql-15", "python3.11", "r-base", "redis", "sed", "tcl8.6", "tcpdump", "vim", "zlib"),
)

LANGUAGE = LanguageSpec(
    name="c",
    title="C",
    suffixes=(".c", ".h"),
    grammar="tree_sitter_c",
    comments=frozenset({"comment"}),
    atomic=frozenset({"string_literal", "char_literal", "system_lib_string"}),
    identifiers=frozenset({"identifier", "field_identifier"}),
    members=frozenset({"field_identifier"}),
    not_values=frozenset(
        {"primitive_type", "type_identifier", "statement_identifier", "preproc_arg"}
        | {"preproc_directive", "system_lib_string", "type_qualifier", "ERROR"}
    ),
    function_types={"function_definition": "declarator"},
    flow=_FLOW,
    lexicon=Lexicon(
        line_comments=("//",),
        block_comments=(("/*", "*/"),),
        quotes=('"', "'"),
        layout="braces",
        keywords=frozenset(
            {"if", "for", "while", "switch", "return", "sizeof", "do", "else", "defined"}
            | {"int", "char", "void", "long", "short", "float", "double", "unsigned", "signed"}
        ),
        nested_functions=False,
        preprocessor=True,
        unclear=r"\\[ \t\v\f]+\r?\n|\?\?/",  # joined lines, spelled in other ways
    ),
    corpus=Corpus(packages=_PACKAGES),
    columns="bytes",
)
