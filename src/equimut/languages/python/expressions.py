"""Types and effects of Python's expressions."""

from equimut.languages.expressions import Expressions

EXPRESSIONS = Expressions(
    literals={
        "integer": "int", "float": "float", "boolean": "bool", "string": "str", "null": "null",
    },
    promotion=("int", "float"),
    logical_operands=True,
    array_arithmetic=True,
    returns={
        "len": "int", "int": "int", "ord": "int", "abs": "=", "max": "=", "min": "=",
        "float": "float", "str": "str", "chr": "str", "repr": "str", "bool": "bool",
        "isinstance": "bool", "list": "list", "sorted": "list", "range": "range", "dict": "dict",
        "set": "set", "tuple": "tuple", "join": "str", "strip": "str", "lower": "str",
        "upper": "str", "startswith": "bool", "endswith": "bool", "isdigit": "bool",
        "isalpha": "bool", "find": "int", "split": "list", "count": "int", "sqrt": "float",
        "any": "bool", "all": "bool", "replace": "str", "format": "str", "index": "int",
        "hasattr": "bool", "enumerate": "object", "zip": "object", "reversed": "object",
    },
    lengths={"len": frozenset()},
    failing=frozenset({"/", "//", "%", "<<", ">>", "**", "in", "not in", "@"}),
    deferred=frozenset({"lambda"}),
)  # fmt: skip
