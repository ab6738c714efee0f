"""Functions of the standard library on concrete numbers, in the C locale."""

from collections.abc import Callable

from equimut.languages.concrete import Native, Stuck


def _of_character(test: Callable[[str], bool]) -> Callable[[int], int]:
    def call(code: int) -> int:
        if not -1 <= code < 256:
            raise Stuck  # undefined
        return int(0 <= code < 128 and test(chr(code)))

    return call


def _turned(turn: Callable[[str], str]) -> Callable[[int], int]:
    def call(code: int) -> int:
        if not -1 <= code < 256:
            raise Stuck
        return ord(turn(chr(code))) if 0 <= code < 128 else code

    return call


_TESTS: dict[str, Callable[[str], bool]] = {
    "isdigit": str.isdigit, "isalpha": str.isalpha, "isalnum": str.isalnum,
    "isupper": str.isupper, "islower": str.islower,
    "isspace": lambda sign: sign in " \t\n\v\f\r",
    "isxdigit": lambda sign: sign in "0123456789abcdefABCDEF",
}  # fmt: skip
NATIVES: dict[tuple[str, str, int], Native] = {
    **{("", name, 1): _of_character(test) for name, test in _TESTS.items()},
    ("", "tolower", 1): _turned(str.lower),
    ("", "toupper", 1): _turned(str.upper),
    ("", "abs", 1): abs,
    ("", "labs", 1): abs,
}
