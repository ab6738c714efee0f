"""C as the operators and rules see it."""

from equimut.languages import Dialect
from equimut.languages.c.declarations import read
from equimut.languages.c.expressions import EXPRESSIONS
from equimut.languages.c.library import LIBRARY
from equimut.languages.numbers import Numbers

_INT_NAMES = (
    "int", "long", "char", "short", "unsigned", "signed", "size_t", "ssize_t", "bool", "_Bool",
    "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t",
    "ptrdiff_t", "intptr_t", "uintptr_t", "time_t", "enum",
)  # fmt: skip

_UNSIGNED = frozenset(
    {"unsigned", "size_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "uintptr_t"}
)
_NARROW = frozenset({"char", "short", "int8_t", "int16_t"})

DIALECT = Dialect(
    name="c",
    numbers=Numbers(
        overflow="undefined",
        remainder_sign="dividend",
        float_remainder=False,
        silent_conversions=True,
        unsigned=_UNSIGNED,
        wide_signed={
            "int": 32, "int32_t": 32, "long": 64, "ssize_t": 64, "ptrdiff_t": 64, "int64_t": 64,
        },
        counters=frozenset(
            {"int", "long", "ssize_t", "ptrdiff_t", "int32_t", "int64_t", "unsigned", "size_t",
             "uint32_t", "uint64_t"}
        ),
        always_incremented=_NARROW | _UNSIGNED - {"uintptr_t"},
        absolute_keeps=_NARROW | {"int", "int32_t", "uint8_t", "uint16_t"},
    ),
    read_declarations=read,
    roles={
        "binary_expression": "binary", "unary_expression": "unary", "update_expression": "update",
        "assignment_expression": "assign", "init_declarator": "declarator",
        "call_expression": "call", "number_literal": "number", "string_literal": "string",
        "char_literal": "char", "true": "boolean", "false": "boolean", "null": "null",
        "identifier": "name", "subscript_expression": "element", "field_expression": "field",
        "pointer_expression": "pointer", "parenthesized_expression": "group",
        "conditional_expression": "ternary", "cast_expression": "cast",
        "initializer_list": "collection", "compound_statement": "block",
    },
    statements={
        "expression_statement": "expression", "if_statement": "if", "while_statement": "while",
        "for_statement": "for", "do_statement": "do", "switch_statement": "switch",
        "return_statement": "return", "break_statement": "break", "continue_statement": "continue",
        "goto_statement": "goto", "labeled_statement": "labeled", "declaration": "declaration",
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
    functions=frozenset({"function_definition"}),
    closures=frozenset(),
    precedence={
        "||": 10, "&&": 20, "|": 30, "^": 35, "&": 40, "==": 50, "!=": 50,
        "<": 55, "<=": 55, ">": 55, ">=": 55, "<<": 60, ">>": 60,
        "+": 70, "-": 70, "*": 80, "/": 80, "%": 80,
    },
    compound=(("+=", "-=", "*=", "/=", "%="), ("&=", "|=", "^="), ("<<=", ">>=")),
    true="1",
    false="0",
    null="0",
    absolute="abs",
    kinds={
        **dict.fromkeys(_INT_NAMES, "int"),
        "float": "float", "double": "float", "void": "void", "struct": "object",
    },
    plain_values={"int": ("0", "1", "-1"), "float": ("0.0", "1.0", "-1.0"), "pointer": ("0",)},
    method_swaps={
        "toupper": "tolower", "tolower": "toupper", "floor": "ceil", "ceil": "floor",
        "isupper": "islower", "islower": "isupper", "strchr": "strrchr", "strrchr": "strchr",
    },
    expressions=EXPRESSIONS,
    assignable=frozenset({"name", "field", "element", "pointer"}),
    locals_shadow=True,
    ordered_operands=False,
    library=LIBRARY,
)  # fmt: skip
