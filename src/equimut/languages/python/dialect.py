"""Python as the operators and rules see it."""

import builtins

from equimut.languages import Dialect
from equimut.languages.numbers import Numbers
from equimut.languages.python.declarations import read
from equimut.languages.python.expressions import EXPRESSIONS

_EXPRESSION_HOLDERS = (
    "parenthesized_expression", "argument_list", "return_statement", "list", "tuple", "set",
    "expression_list", "comparison_operator", "conditional_expression", "assert_statement",
    "if_clause", "slice",
)  # fmt: skip

DIALECT = Dialect(
    name="python",
    numbers=Numbers(overflow="none", remainder_sign="divisor", true_division=True),
    read_declarations=read,
    roles={
        "binary_operator": "binary", "comparison_operator": "binary", "boolean_operator": "binary",
        "unary_operator": "unary", "not_operator": "unary", "assignment": "assign",
        "augmented_assignment": "assign", "call": "call", "integer": "integer", "float": "float",
        "string": "string", "true": "boolean", "false": "boolean", "none": "null",
        "identifier": "name", "subscript": "element", "attribute": "field",
        "parenthesized_expression": "group", "conditional_expression": "ternary",
        "list": "collection", "dictionary": "collection", "set": "collection",
        "tuple": "collection", "lambda": "lambda", "block": "block", "if_clause": "condition",
        "elif_clause": "condition",
    },
    statements={
        "expression_statement": "expression", "if_statement": "if", "while_statement": "while",
        "for_statement": "for", "return_statement": "return", "break_statement": "break",
        "continue_statement": "continue", "raise_statement": "throw", "try_statement": "try",
        "with_statement": "with", "assert_statement": "assert", "delete_statement": "delete",
        "match_statement": "switch",
    },
    opaque=frozenset(
        {
            "type", "decorator", "import_statement", "import_from_statement", "global_statement",
            "nonlocal_statement", "case_pattern", "type_alias_statement", "concatenated_string",
            "string_content", "interpolation",
        }
    ),
    scopes=frozenset({"function_definition", "class_definition", "module", "lambda"}),
    value_slots=frozenset(
        {
            *((holder, "*") for holder in _EXPRESSION_HOLDERS),
            ("binary_operator", "left"), ("binary_operator", "right"),
            ("boolean_operator", "left"), ("boolean_operator", "right"),
            ("unary_operator", "argument"), ("not_operator", "argument"),
            ("assignment", "right"), ("augmented_assignment", "right"),
            ("subscript", "subscript"), ("keyword_argument", "value"), ("pair", "value"),
            ("if_statement", "condition"), ("while_statement", "condition"),
            ("elif_clause", "condition"), ("default_parameter", "value"),
            ("typed_default_parameter", "value"), ("lambda", "body"),
            ("list_comprehension", "body"), ("set_comprehension", "body"),
            ("generator_expression", "body"),
        }
    ),
    functions=frozenset({"function_definition"}),
    closures=frozenset(
        {
            "lambda", "list_comprehension", "set_comprehension", "dictionary_comprehension",
            "generator_expression", "parameters",
        }
    ),
    precedence={
        "or": 10, "and": 20, "not": 25,
        **dict.fromkeys(("<", "<=", ">", ">=", "==", "!=", "is", "is not", "in", "not in"), 30),
        "|": 40, "^": 45, "&": 50, "<<": 60, ">>": 60, "+": 70, "-": 70,
        "*": 80, "/": 80, "//": 80, "%": 80, "@": 80, "**": 95,
    },
    arithmetic=("+", "-", "*", "/", "//", "%"),
    conjunction="and",
    disjunction="or",
    negation="not ",
    negation_level=25,
    compound=(("+=", "-=", "*=", "/=", "//=", "%="), ("&=", "|=", "^="), ("<<=", ">>=")),
    true="True",
    false="False",
    null="None",
    no_operation="pass",
    absolute="abs",
    kinds={
        "int": "int", "float": "float", "bool": "bool", "str": "string", "None": "void",
        "list": "array", "tuple": "array", "dict": "object", "set": "object", "bytes": "object",
    },
    plain_values={
        "int": ("0", "1", "-1"), "float": ("0.0", "1.0", "-1.0"), "bool": ("False", "True"),
        "string": ('""',),
    },
    unordered_kinds=frozenset({"null", "bool", "object"}),
    method_swaps={
        "lower": "upper", "upper": "lower", "lstrip": "rstrip", "rstrip": "lstrip",
        "find": "rfind", "rfind": "find", "index": "rindex", "rindex": "index",
        "split": "rsplit", "rsplit": "split", "partition": "rpartition",
        "rpartition": "partition", "ljust": "rjust", "rjust": "ljust",
        "removeprefix": "removesuffix", "removesuffix": "removeprefix",
        "startswith": "endswith", "endswith": "startswith", "any": "all", "all": "any",
        "min": "max", "max": "min",
    },
    expressions=EXPRESSIONS,
    assignable=frozenset({"name"}),
    range_call="range",
    introspection=frozenset(
        {"locals", "eval", "exec", "vars", "dir", "_getframe", "inspect", "currentframe",
         "f_locals", "f_back", "tb_frame"}
    ),
    library=frozenset(vars(builtins)),
    dynamic_types=True,
    assignment_declares=True,
)  # fmt: skip
