"""C as the mutation operators see it."""

from equimut.languages.c.expressions import EXPRESSIONS
from equimut.languages.dialect import UNARY_LEVEL, Dialect

_INT_NAMES = (
    "int", "long", "char", "short", "unsigned", "signed", "size_t", "ssize_t", "bool", "_Bool",
    "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t",
    "ptrdiff_t", "intptr_t", "uintptr_t", "time_t", "enum",
)  # fmt: skip

DIALECT = Dialect(
    name="c",
    roles={
        "binary_expression": "binary",
        "unary_expression": "unary",
        "update_expression": "update",
        "assignment_expression": "assign",
        "init_declarator": "declarator",
        "call_expression": "call",
        "number_literal": "number",
        "string_literal": "string",
        "char_literal": "char",
        "true": "boolean",
        "false": "boolean",
        "null": "null",
        "identifier": "name",
        "subscript_expression": "element",
        "field_expression": "field",
        "pointer_expression": "pointer",
        "parenthesized_expression": "group",
        "conditional_expression": "ternary",
        "cast_expression": "cast",
        "initializer_list": "collection",
        "compound_statement": "block",
    },
    statements={
        "expression_statement": "expression",
        "if_statement": "if",
        "while_statement": "while",
        "for_statement": "for",
        "do_statement": "do",
        "switch_statement": "switch",
        "return_statement": "return",
        "break_statement": "break",
        "continue_statement": "continue",
        "goto_statement": "goto",
        "labeled_statement": "labeled",
        "declaration": "declaration",
    },
    opaque=frozenset(
        {
            "array_declarator", "function_declarator", "pointer_declarator", "parameter_list",
            "struct_specifier", "union_specifier", "enum_specifier", "type_descriptor",
            "preproc_def", "preproc_function_def", "preproc_include", "preproc_call",
            "sizeof_expression", "offsetof_expression", "attribute_specifier",
            "concatenated_string", "ms_declspec_modifier", "type_definition", "gnu_asm_expression",
        }
    ),
    scopes=frozenset(
        {"compound_statement", "for_statement", "function_definition", "translation_unit"}
    ),
    value_slots=frozenset(
        {
            ("binary_expression", "left"), ("binary_expression", "right"),
            ("unary_expression", "argument"), ("parenthesized_expression", "*"),
            ("argument_list", "*"), ("return_statement", "*"), ("assignment_expression", "right"),
            ("init_declarator", "value"), ("subscript_expression", "index"),
            ("conditional_expression", "condition"), ("conditional_expression", "consequence"),
            ("conditional_expression", "alternative"), ("cast_expression", "value"),
            ("for_statement", "condition"), ("initializer_list", "*"),
        }
    ),
    loops=frozenset({"while_statement", "for_statement", "do_statement"}),
    closures=frozenset(),
    precedence={
        "||": 10, "&&": 20, "|": 30, "^": 35, "&": 40, "==": 50, "!=": 50,
        "<": 55, "<=": 55, ">": 55, ">=": 55, "<<": 60, ">>": 60,
        "+": 70, "-": 70, "*": 80, "/": 80, "%": 80,
    },
    arithmetic=("+", "-", "*", "/", "%"),
    relational=("<", "<=", ">", ">=", "==", "!="),
    conjunction="&&",
    disjunction="||",
    negation="!",
    negation_level=UNARY_LEVEL,
    bitwise=("&", "|", "^"),
    shifts=("<<", ">>"),
    compound=(("+=", "-=", "*=", "/=", "%="), ("&=", "|=", "^="), ("<<=", ">>=")),
    true="1",
    false="0",
    null="0",
    no_operation=";",
    absolute="abs",
    kinds={
        **dict.fromkeys(_INT_NAMES, "int"),
        "float": "float", "double": "float", "void": "void", "struct": "object",
    },
    method_swaps={
        "toupper": "tolower", "tolower": "toupper", "floor": "ceil", "ceil": "floor",
        "isupper": "islower", "islower": "isupper", "strchr": "strrchr", "strrchr": "strchr",
    },
    expressions=EXPRESSIONS,
)  # fmt: skip
