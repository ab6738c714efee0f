"""Types and effects of C's expressions."""

from equimut.languages.expressions import Expressions

EXPRESSIONS = Expressions(
    literals={
        "integer": "int", "float": "double", "boolean": "int", "string": "char*", "char": "int",
        "null": "void*",
    },
    promotion=("int", "long", "float", "double"),
    integers=frozenset(
        {
            "int", "long", "short", "signed", "ssize_t", "ptrdiff_t", "int8_t", "int16_t",
            "int32_t", "int64_t", "unsigned", "size_t", "uint8_t", "uint16_t", "uint32_t",
            "uint64_t", "uintptr_t", "char",
        }
    ),
    array_arithmetic=True,
    returns={
        "strlen": "int", "abs": "int", "labs": "int", "strcmp": "int", "strncmp": "int",
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
