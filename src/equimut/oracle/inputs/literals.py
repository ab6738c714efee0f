"""Argument values to JSON and back, and to the one-line form the Java and C harnesses read."""

import math
import struct
from typing import Any

from equimut.oracle.signature import ValueType

NON_FINITE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def to_json(type_: ValueType, value: Any) -> Any:
    """A JSON value that reads like a literal and loses nothing."""
    if value is None:
        return None
    match type_.kind:
        case "float" if not math.isfinite(value):
            return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
        case "char":
            # A surrogate (or a negative C char) is no text on its own: its number is shown.
            return chr(value) if value >= 0 and not 0xD800 <= value <= 0xDFFF else value
        case "array":
            return [to_json(type_.item, item) for item in value]
        case "tuple":
            return [to_json(item, part) for item, part in zip(type_.items, value, strict=True)]
        case "dict":
            return {key: to_json(type_.items[1], item) for key, item in value.items()}
    return value


def from_json(type_: ValueType, value: Any) -> Any:
    """The inverse of `to_json`; a value that does not fit raises ValueError."""
    if value is None:
        if type_.nullable:
            return None
        raise ValueError(f"null where {type_.kind} is expected")
    match type_.kind:
        case "int" if isinstance(value, int) and not isinstance(value, bool):
            if type_.unbounded or type_.low <= value <= type_.high:
                return value
        case "bool" if isinstance(value, bool):
            return value
        case "float" if isinstance(value, (int, float)) and not isinstance(value, bool):
            return float(value)
        case "float" if isinstance(value, str) and value in NON_FINITE:
            return NON_FINITE[value]
        case "char" if isinstance(value, int) and not isinstance(value, bool):
            return value
        case "char" if isinstance(value, str) and len(value) == 1:
            return ord(value)
        case "string" if isinstance(value, str):
            return value
        case "array" if isinstance(value, list):
            return [from_json(type_.item, item) for item in value]
        case "tuple" if isinstance(value, list) and len(value) == len(type_.items):
            pairs = zip(type_.items, value, strict=True)
            return tuple(from_json(item, part) for item, part in pairs)
        case "dict" if isinstance(value, dict):
            return {key: from_json(type_.items[1], item) for key, item in value.items()}
    raise ValueError(f"{value!r} is no {type_.kind}")


def to_tokens(type_: ValueType, value: Any, encoding: str) -> str:
    """Blank-separated tokens; a `-` is null, `[n` opens an array, doubles are their bits."""
    if value is None:
        return "-"
    match type_.kind:
        case "int" | "char":
            return str(value)
        case "bool":
            return "1" if value else "0"
        case "float":
            return struct.pack(">d", value).hex()
        case "string":
            return f"s{value.encode(encoding, 'surrogatepass').hex()}"
        case "array":
            return " ".join(
                [f"[{len(value)}", *(to_tokens(type_.item, item, encoding) for item in value)]
            )
    raise ValueError(f"no token form for {type_.kind}")
