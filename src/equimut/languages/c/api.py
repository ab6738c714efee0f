"""What C's standard library promises, one line each: tested against the running libc.

`throws` says when a call is undefined. Where it says nothing and the function is not `total`, an
unknown condition of everything it sees makes it undefined: a pointer to nothing, say. None of them
touches `errno`, as `atoi` does.
"""

from equimut.languages.contracts import Contract

_BYTE = "a0 < -1 or a0 > 255"
_CLASSES = ("isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint",
            "ispunct", "isspace", "isupper", "isxdigit")  # fmt: skip
CONTRACTS: dict[tuple[str, str, int], Contract] = {
    **{
        ("", name, 1): Contract("int", pure=True, reads=True, throws=_BYTE) for name in _CLASSES
    },
    **{
        ("", name, 1): Contract(
            "int", pure=True, reads=True, throws=_BYTE, ensures=("result >= -1", "result <= 255")
        )
        for name in ("toupper", "tolower")
    },
    ("", "abs", 1): Contract(
        "int", pure=True, throws="a0 == -2147483648", defines="a0 if a0 >= 0 else -a0"
    ),
    ("", "labs", 1): Contract(
        "long", pure=True, throws="a0 == -9223372036854775808", defines="a0 if a0 >= 0 else -a0"
    ),
    ("", "llabs", 1): Contract(
        "long", pure=True, throws="a0 == -9223372036854775808", defines="a0 if a0 >= 0 else -a0"
    ),
    ("", "strlen", 1): Contract("unsigned long", pure=True, reads=True, ensures=("result >= 0",)),
    ("", "strcmp", 2): Contract(
        "int", pure=True, reads=True, ensures=("result == 0 or a0 != a1",)
    ),
    ("", "strncmp", 3): Contract(
        "int", pure=True, reads=True, ensures=("result == 0 or a0 != a1", "result == 0 or a2 != 0")
    ),
    ("", "memcmp", 3): Contract(
        "int", pure=True, reads=True, ensures=("result == 0 or a0 != a1", "result == 0 or a2 != 0")
    ),
    ("", "strchr", 2): Contract("char*", pure=True, reads=True),
    ("", "strrchr", 2): Contract("char*", pure=True, reads=True),
    ("", "strstr", 2): Contract("char*", pure=True, reads=True),
    ("", "memchr", 3): Contract("void*", pure=True, reads=True),
    ("", "strspn", 2): Contract("unsigned long", pure=True, reads=True),
    ("", "strcspn", 2): Contract("unsigned long", pure=True, reads=True),
    ("", "fabs", 1): Contract("double", pure=True, total=True),
    ("", "floor", 1): Contract("double", pure=True, total=True),
    ("", "ceil", 1): Contract("double", pure=True, total=True),
    ("", "trunc", 1): Contract("double", pure=True, total=True),
}  # fmt: skip
RETURNS: dict[str, str] = {
    **dict.fromkeys((*_CLASSES, "toupper", "tolower", "abs"), "int, int"),
    **dict.fromkeys(("labs", "llabs"), "long, long"),
    "strlen": "size_t, char*", "strcmp": "int, char*, char*",
    "strncmp": "int, char*, char*, size_t", "memcmp": "int, void*, void*, size_t",
    "strchr": "char*, char*, int", "strrchr": "char*, char*, int", "strstr": "char*, char*, char*",
    "memchr": "void*, void*, int, size_t", "strspn": "size_t, char*, char*",
    "strcspn": "size_t, char*, char*", "atoi": "int, char*", "atol": "long, char*",
    **dict.fromkeys(("fabs", "floor", "ceil", "trunc", "sqrt", "sin", "cos", "tan", "exp", "log",
                     "log10", "log2", "cbrt"), "double, double"),
    **dict.fromkeys(("pow", "fmod", "atan2", "hypot"), "double, double, double"),
    "malloc": "void*, size_t", "calloc": "void*, size_t, size_t", "free": "void, void*",
    "realloc": "void*, void*, size_t", "memcpy": "void*, void*, void*, size_t",
    "memmove": "void*, void*, void*, size_t", "memset": "void*, void*, int, size_t",
    "strcpy": "char*, char*, char*", "strncpy": "char*, char*, char*, size_t",
    "strcat": "char*, char*, char*", "strncat": "char*, char*, char*, size_t",
    "strdup": "char*, char*", "strtok": "char*, char*, char*",
    "strtol": "long, char*, char**, int", "strtoul": "unsigned long, char*, char**, int",
    "strtod": "double, char*, char**", "rand": "int", "srand": "void, unsigned",
    "exit": "void, int", "abort": "void", "printf": "int, char*, ...",
    "fprintf": "int, FILE*, char*, ...", "sprintf": "int, char*, char*, ...",
    "snprintf": "int, char*, size_t, char*, ...", "scanf": "int, char*, ...",
    "sscanf": "int, char*, char*, ...", "puts": "int, char*", "putchar": "int, int",
    "fputs": "int, char*, FILE*", "fputc": "int, int, FILE*", "fgetc": "int, FILE*",
    "getchar": "int", "fgets": "char*, char*, int, FILE*", "fopen": "FILE*, char*, char*",
    "fclose": "int, FILE*", "fflush": "int, FILE*", "time": "time_t, time_t*",
    "getenv": "char*, char*", "perror": "void, char*",
}  # fmt: skip
"""Result and parameters of standard functions: a name of these is one, declared or not."""
SUPERTYPES: dict[str, tuple[str, ...]] = {}
UNDEFINED_IS_OUTSIDE = True
