"""Names of C's standard headers that stand for one value."""

from equimut.languages.c.lowering.types import (
    CHAR,
    DOUBLE,
    INT,
    LONG,
    SIZE,
    UNSIGNED,
    VOID,
    pointer,
)
from equimut.languages.lowered import Address, Expr, Lit, Memory, Type

_FILE = pointer(Type("any", name="FILE"))


def _limits(name: str, bits: int, type_: Type = INT) -> dict[str, Expr]:
    half = 2 ** (bits - 1)
    return {f"{name}_MAX": Lit(type_, half - 1), f"{name}_MIN": Lit(type_, -half)}


STANDARD: dict[str, Expr] = {
    "NULL": Lit(pointer(VOID), 0),
    "EOF": Lit(INT, -1),
    "CHAR_BIT": Lit(INT, 8),
    "EXIT_SUCCESS": Lit(INT, 0),
    "EXIT_FAILURE": Lit(INT, 1),
    "UCHAR_MAX": Lit(INT, 255),
    "UINT8_MAX": Lit(INT, 255),
    "USHRT_MAX": Lit(INT, 65535),
    "UINT16_MAX": Lit(INT, 65535),
    "UINT_MAX": Lit(UNSIGNED, 2**32 - 1),
    "UINT32_MAX": Lit(UNSIGNED, 2**32 - 1),
    **dict.fromkeys(("ULONG_MAX", "ULLONG_MAX", "UINT64_MAX", "SIZE_MAX"), Lit(SIZE, 2**64 - 1)),
    **_limits("CHAR", 8), **_limits("SCHAR", 8), **_limits("INT8", 8), **_limits("SHRT", 16),
    **_limits("INT16", 16), **_limits("INT", 32), **_limits("INT32", 32),
    **_limits("LONG", 64, LONG), **_limits("LLONG", 64, LONG), **_limits("INT64", 64, LONG),
    "PTRDIFF_MAX": Lit(LONG, 2**63 - 1),
    "DBL_MAX": Lit(DOUBLE, 1.7976931348623157e308),
    "DBL_EPSILON": Lit(DOUBLE, 2.0**-52),
    "M_PI": Lit(DOUBLE, 3.141592653589793),
    **{
        name: Memory(_FILE, Address(pointer(_FILE), f"global {name}"), None, checked=False)
        for name in ("stdin", "stdout", "stderr")
    },
    "errno": Memory(INT, Address(pointer(INT), "global errno"), None, checked=False),
    "__func__": Address(pointer(CHAR), '"__func__'),
}  # fmt: skip
"""Their values with gcc on LP64; a file that defines one of them itself overrides it."""
