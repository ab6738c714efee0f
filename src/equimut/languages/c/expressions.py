"""Types and effects of C's expressions."""

from equimut.languages.c.declarations import type_name
from equimut.languages.expressions import Expressions

EXPRESSIONS = Expressions(
    literals={
        "integer": "int", "float": "double", "boolean": "int", "string": "char*", "char": "int",
        "null": "void*",
    },
    suffixes={
        ("int", "u"): "unsigned", ("int", "l"): "long", ("int", "lu"): "uint64_t",
        ("double", "f"): "float",
    },
    promotion=("int", "unsigned", "long", "uint64_t", "float", "double"),  # a long has 64 bits
    promoted={
        **dict.fromkeys(
            ("int", "int32_t", "signed", "char", "short", "int8_t", "int16_t", "uint8_t",
             "uint16_t", "bool", "_Bool"), "int",
        ),
        "unsigned": "unsigned", "uint32_t": "unsigned", "float": "float", "double": "double",
        **dict.fromkeys(("long", "ssize_t", "ptrdiff_t", "int64_t", "intptr_t"), "long"),
        **dict.fromkeys(("uint64_t", "size_t", "uintptr_t"), "uint64_t"),
    },
    type_name=type_name,
    integers=frozenset(
        {
            "int", "long", "short", "signed", "ssize_t", "ptrdiff_t", "int8_t", "int16_t",
            "int32_t", "int64_t", "unsigned", "size_t", "uint8_t", "uint16_t", "uint32_t",
            "uint64_t", "uintptr_t", "char",
        }
    ),
    array_arithmetic=True,
    returns={
        "strlen": "size_t", "abs": "int", "labs": "int", "strcmp": "int", "strncmp": "int",
        "isdigit": "int", "isalpha": "int", "isspace": "int", "toupper": "int", "tolower": "int",
        "getc": "int", "getchar": "int", "fgetc": "int", "atoi": "int", "printf": "int",
        "isalnum": "int", "isupper": "int", "islower": "int", "memcmp": "int",
        "sqrt": "double", "pow": "double", "fabs": "double", "floor": "double", "ceil": "double",
        "fmod": "double", "exp": "double", "log": "double", "sin": "double", "cos": "double",
        "malloc": "void*", "calloc": "void*", "realloc": "void*", "strchr": "char*",
        "strdup": "char*", "fopen": "void*", "strstr": "char*", "memcpy": "void*",
        "free": "void", "exit": "void", "abort": "void", "qsort": "void", "assert": "void",
    },
    lengths={"strlen": frozenset()},
    failing=frozenset({"/", "%", "<<", ">>"}),
)  # fmt: skip
