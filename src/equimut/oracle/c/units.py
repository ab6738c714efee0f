"""The C text that is compiled: all units side by side, and the code that calls them."""

import re
from collections.abc import Mapping

from equimut.oracle.c.signature import scalar_type, top_level_names
from equimut.oracle.sandbox.ticking import C, add_ticks
from equimut.oracle.signature import Parameter, Signature, ValueType

HEADERS = ("string", "stdlib", "stdbool", "limits", "stdint", "stdio", "math", "ctype", "stddef",
           "float", "assert", "inttypes")  # fmt: skip
INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"]([\w./]+)[>\"].*$", re.M)
MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.M)
REDIRECTED = {"exit": "equimut_exit", "_Exit": "equimut_exit", "abort": "equimut_abort"}


def headers_of(sources: Mapping[int, str]) -> str:
    """The standard headers, then those that the sources ask for."""
    asked = {name for text in sources.values() for name in INCLUDE.findall(text)}
    names = [f"{name}.h" for name in HEADERS]
    names += sorted(asked - set(names))
    return "".join(f"#include <{name}>\n" for name in names)


def renamed(source: str, number: int) -> str:
    """A unit with names of its own: `#define` does the renaming, the text stays as it is."""
    names = top_level_names(source)
    macros = sorted(set(MACRO.findall(source)))
    before = "".join(f"#define {name} {name}__u{number}\n" for name in names)
    after = "".join(f"#undef {name}\n" for name in (*names, *macros))
    body = INCLUDE.sub("", source)
    return f'{before}#line 1 "unit_{number}"\n{body}\n#line 1 "glue"\n{after}'


def joint_source(signature: Signature, sources: Mapping[int, str]) -> str:
    """One translation unit with every unit in it, ticks and all."""
    parts = [headers_of(sources), '#include "c_harness.h"\n']
    parts += [f"#define {name} {other}\n" for name, other in REDIRECTED.items()]
    parts += [renamed(add_ticks(text, "c", C), number) for number, text in sources.items()]
    return "".join([*parts, _call(signature, list(sources))])


def plain_source(signature: Signature, source: str) -> str:
    """A unit as it is, for the comparison of compiled code; a static function is kept too."""
    body = INCLUDE.sub("", source)
    keep = f"void *equimut_keep = (void *){signature.name};\n"
    return f'{headers_of({0: source})}#line 1 "unit"\n{body}\n{keep}'


def _c_type(type_: ValueType) -> str:
    if type_.kind == "float":
        return "float" if type_.size == 4 else "double"
    if type_.kind == "bool":
        return "_Bool"
    if type_.kind == "char":
        return "char"
    return f"{'' if type_.low < 0 else 'u'}int{8 * type_.size}_t"


def _letter(type_: ValueType) -> str:
    """How the harness stores an element: signed, unsigned or floating."""
    return "f" if type_.kind == "float" else "i" if type_.low < 0 else "u"


def _decode(place: int, parameter: Parameter) -> str:
    type_ = parameter.type
    if type_.kind == "string":
        return f"size_t c{place}; char *a{place} = equimut_string(&c{place});\n"
    if type_.kind == "array":
        item = type_.item
        call = f"equimut_array('{_letter(item)}', {item.size}, &c{place})"
        return f"size_t c{place}; void *a{place} = {call};\n"
    reader = "equimut_double" if type_.kind == "float" else "equimut_int"
    name = _c_type(type_)
    return f"{name} a{place} = ({name}){reader}();\n"


def _report(result: str) -> str:
    if result.endswith("*"):
        if result == "char*":
            return "equimut_result_string(r, r != NULL ? strlen(r) : 0);\n"
        return "equimut_result_pointer(r);\n"
    type_ = scalar_type(result)
    if type_ is None:
        return "equimut_result_void();\n"
    kind = "double" if type_.kind == "float" else "int" if type_.low < 0 else "unsigned"
    return f"equimut_result_{kind}(r);\n"


def _after(place: int, parameter: Parameter) -> str:
    type_ = parameter.type
    if type_.kind == "string":
        return f"equimut_after('s', 1, c{place}, a{place});\n"
    if type_.kind == "array":
        item = type_.item
        return f"equimut_after('{_letter(item)}', {item.size}, c{place}, a{place});\n"
    return ""


def _call(signature: Signature, numbers: list[int]) -> str:
    parameters = list(enumerate(signature.parameters))
    arguments = ", ".join(f"a{place}" for place, _ in parameters)
    void = signature.result == "void"
    take = "" if void else "r = "
    cases = "".join(
        f"case {number}: {take}{signature.name}__u{number}({arguments}); break;\n"
        for number in numbers
    )
    return "".join(
        [
            "void equimut_call(int unit) {\n",
            *(_decode(place, parameter) for place, parameter in parameters),
            "" if void else f"{signature.result} r = 0;\n",
            f"switch (unit) {{\n{cases}default: equimut_abort();\n}}\n",
            _report(signature.result),
            *(_after(place, parameter) for place, parameter in parameters),
            "}\n",
        ]
    )
