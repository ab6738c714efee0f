"""Java as the operators and rules see it."""

from equimut.languages import Dialect
from equimut.languages.java.declarations import read
from equimut.languages.java.expressions import EXPRESSIONS
from equimut.languages.java.flow import is_rejected
from equimut.languages.numbers import Numbers

_INTEGERS = ("decimal", "hex", "octal", "binary")

DIALECT = Dialect(
    name="java",
    numbers=Numbers(
        overflow="wraps",
        remainder_sign="dividend",
        unsigned=frozenset({"char"}),
        never_empty=frozenset({"int", "long", "short", "byte", "char", "float", "double"}),
        counters=frozenset({"int", "long"}),
        absolute_keeps=frozenset({"int", "long"}),
    ),
    read_declarations=read,
    rejects_flow=is_rejected,
    roles={
        "binary_expression": "binary", "unary_expression": "unary", "update_expression": "update",
        "assignment_expression": "assign", "variable_declarator": "declarator",
        "method_invocation": "call", "object_creation_expression": "new",
        **{f"{base}_integer_literal": "integer" for base in _INTEGERS},
        "decimal_floating_point_literal": "float", "string_literal": "string",
        "character_literal": "char", "true": "boolean", "false": "boolean", "null_literal": "null",
        "identifier": "name", "array_access": "element", "field_access": "field",
        "parenthesized_expression": "group", "ternary_expression": "ternary",
        "cast_expression": "cast", "array_initializer": "collection",
        "array_creation_expression": "new_array", "lambda_expression": "lambda", "block": "block",
        "constructor_body": "block",
    },
    statements={
        "expression_statement": "expression", "if_statement": "if", "while_statement": "while",
        "for_statement": "for", "enhanced_for_statement": "for", "do_statement": "do",
        "switch_expression": "switch", "return_statement": "return", "break_statement": "break",
        "continue_statement": "continue", "throw_statement": "throw", "try_statement": "try",
        "try_with_resources_statement": "try", "synchronized_statement": "synchronized",
        "assert_statement": "assert", "yield_statement": "yield", "labeled_statement": "labeled",
        "local_variable_declaration": "declaration",
    },
    opaque=frozenset(
        {
            "annotation", "marker_annotation", "modifiers", "switch_label", "type_arguments",
            "type_parameters", "formal_parameters", "catch_formal_parameter", "array_type",
            "generic_type", "scoped_type_identifier", "dimensions", "throws", "superclass",
            "super_interfaces", "import_declaration", "package_declaration", "type_pattern",
            "explicit_constructor_invocation", "inferred_parameters", "record_pattern",
        }
    ),
    scopes=frozenset(
        {
            "block", "for_statement", "enhanced_for_statement", "method_declaration",
            "constructor_declaration", "constructor_body", "class_body", "interface_body",
            "enum_body", "enum_body_declarations", "lambda_expression", "catch_clause",
            "switch_block", "try_with_resources_statement", "program",
            "compact_constructor_declaration",
        }
    ),
    value_slots=frozenset(
        {
            ("binary_expression", "left"), ("binary_expression", "right"),
            ("unary_expression", "operand"), ("parenthesized_expression", "*"),
            ("argument_list", "*"), ("return_statement", "*"), ("assignment_expression", "right"),
            ("variable_declarator", "value"), ("array_access", "index"),
            ("ternary_expression", "condition"), ("ternary_expression", "consequence"),
            ("ternary_expression", "alternative"), ("cast_expression", "value"),
            ("array_initializer", "*"), ("for_statement", "condition"),
            ("dimensions_expr", "*"), ("assert_statement", "*"), ("yield_statement", "*"),
        }
    ),
    functions=frozenset({"method_declaration", "constructor_declaration"}),
    closures=frozenset({"lambda_expression", "class_body"}),
    precedence={
        "||": 10, "&&": 20, "|": 30, "^": 35, "&": 40, "==": 50, "!=": 50,
        "<": 55, "<=": 55, ">": 55, ">=": 55, "instanceof": 55,
        "<<": 60, ">>": 60, ">>>": 60, "+": 70, "-": 70, "*": 80, "/": 80, "%": 80,
    },
    shifts=("<<", ">>", ">>>"),
    compound=(("+=", "-=", "*=", "/=", "%="), ("&=", "|=", "^="), ("<<=", ">>=", ">>>=")),
    true="true",
    false="false",
    null="null",
    absolute="Math.abs",
    kinds={
        "int": "int", "long": "int", "Integer": "int", "Long": "int",
        "short": "small", "byte": "small", "char": "small", "Character": "small",
        "float": "float", "double": "float", "Double": "float", "Float": "float",
        "boolean": "bool", "Boolean": "bool", "String": "string", "void": "void",
    },
    plain_values={
        "int": ("0", "1", "-1"), "small": ("0",), "float": ("0.0", "1.0", "-1.0"),
        "bool": ("false", "true"), "string": ('""', "null"), "object": ("null",),
        "array": ("null",),
    },
    other_kind="object",
    ordered_kinds=frozenset({"int", "small", "float"}),
    method_swaps={
        "startsWith": "endsWith", "endsWith": "startsWith", "min": "max", "max": "min",
        "toUpperCase": "toLowerCase", "toLowerCase": "toUpperCase", "indexOf": "lastIndexOf",
        "lastIndexOf": "indexOf", "floor": "ceil", "ceil": "floor", "anyMatch": "allMatch",
        "allMatch": "anyMatch", "isUpperCase": "isLowerCase", "isLowerCase": "isUpperCase",
    },
    expressions=EXPRESSIONS,
    assignable=frozenset({"name", "field", "element"}),
    read_only_fields=frozenset({"length"}),
    library=frozenset(
        {"Math", "StrictMath", "Integer", "Long", "Short", "Byte", "Character", "Double", "Float",
         "Boolean", "String", "StringBuilder", "Arrays", "Objects", "Collections", "List", "Map",
         "Set", "System"}
    ),
    ambiguous_plus=True,
    boolean_xor=True,
)  # fmt: skip
