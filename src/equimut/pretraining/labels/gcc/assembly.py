"""gcc's assembly, function by function, in a form in which two copies can be compared.

Labels are numbered in the order of their appearance, constants stand as what they hold, and the
marks that tell copies apart (`name__m007`) are gone. Equal text then means equal machine code.
"""

import re

MARK = re.compile(r"__m\d{4}(?!\d)")
"""What makes the name of a copy; always as long, so that `__func__` keeps its size."""

_LABEL = re.compile(r"^([.\w$]+):")
_FUNCTION = re.compile(r"^\s*\.type\s+([.\w$]+),\s*@function")
_END = re.compile(r"^\s*\.size\s+([.\w$]+),")
_LOCAL = re.compile(r"\.L(?!C)\w+")
_CONSTANT = re.compile(r"\.LC\d+|\b[A-Za-z_]\w*\.\d+\b")
_NO_CODE = re.compile(r"^\s*(\.p2align|\.align|\.loc|\.cfi_|\.globl|\.type|\.section|\.text|#)")
_DATA = re.compile(
    r"^\s*\.(?:string|ascii|byte|value|word|long|quad|zero|int|float|double|2byte)\b"
)
_WRITABLE = re.compile(r"^\s*\.(?:local|comm|data|bss)\b|^\s*\.section\s+\.(?:data|bss)")
MAX_DEPTH = 4
"""Constants that point to constants: a table of texts is two deep."""


def function_codes(assembly: str) -> dict[str, str]:
    """Name (with its mark) -> comparable code.

    A function that uses a variable of its own (C's `static` inside a function) is left out: each
    copy has another one.
    """
    lines = assembly.splitlines()
    constants, writable = _constants(lines)
    codes: dict[str, str] = {}
    current, body = "", list[str]()
    declared = ""
    for line in lines:
        if found := _FUNCTION.match(line):
            declared = found[1]
        elif (found := _LABEL.match(line)) and found[1] == declared and not current:
            current, body = declared, []
        elif current and (found := _END.match(line)) and found[1] == current:
            code = _comparable(body, constants, writable)
            if code is not None:
                codes[current] = code
            current = ""
        elif current and not _NO_CODE.match(line):
            body.append(line)
    return codes


def _constants(lines: list[str]) -> tuple[dict[str, str], frozenset[str]]:
    """What stands behind every label of data, and the names of variables that can change."""
    held: dict[str, list[str]] = {}
    writable: set[str] = set()
    label, in_writable = "", False
    for line in lines:
        if _WRITABLE.match(line):
            in_writable = True
            writable.update(re.findall(r"\b[A-Za-z_]\w*\.\d+\b", line))
        elif re.match(r"^\s*\.(?:section|text)\b", line):
            in_writable = False
        if found := _LABEL.match(line):
            label = found[1]
            if in_writable:
                writable.add(label)
        elif _DATA.match(line) and label:
            held.setdefault(label, []).append(" ".join(line.split()))
    return {name: "; ".join(parts) for name, parts in held.items()}, frozenset(writable)


def _comparable(body: list[str], constants: dict[str, str], writable: frozenset[str]) -> str | None:
    numbers: dict[str, str] = {}

    def number(found: re.Match[str]) -> str:
        return numbers.setdefault(found[0], f".L{len(numbers)}")

    text = "\n".join(" ".join(line.split()) for line in body)
    if any(name in writable for name in _CONSTANT.findall(text)):
        return None
    for _ in range(MAX_DEPTH):
        replaced = _CONSTANT.sub(lambda found: _held(found[0], constants), text)
        if replaced == text:
            break
        text = replaced
    if any(name in writable for name in _CONSTANT.findall(text)):
        return None
    return MARK.sub("", _LOCAL.sub(number, text))


def _held(name: str, constants: dict[str, str]) -> str:
    return f"<{constants[name]}>" if name in constants else name
