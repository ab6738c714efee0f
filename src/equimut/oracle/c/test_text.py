"""C tests from calls and what was seen of them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from equimut.oracle.c.debug_info import CFunction
from equimut.oracle.c.glue import Glue, Recipe
from equimut.oracle.c.source_text import INDENT, Script, integer, made_order, quoted, real, spell
from equimut.oracle.choosing import Facet

LONGEST_NAME = 60
CAPTURED = {"output": ("stdout", "printed"), "errors": ("stderr", "complaint")}


@dataclass(frozen=True)
class CallToTest:
    """A call, and what a test says of it."""

    function: CFunction
    row: Sequence[Recipe]
    freed: frozenset[int]
    facets: Mapping[Facet, tuple[str, str]]


def test_source(glue: Glue, call: CallToTest, needed: Sequence[Facet]) -> tuple[str, str]:
    """Name and text of a test."""
    order = made_order(glue, call.function.parameters, call.row)
    heap = frozenset(id(each) for at, each in enumerate(order) if at in call.freed)
    script = Script(glue, heap)
    arguments = script.arguments(call.function.parameters, call.row, _looked_at(call, needed))
    expression = f"{call.function.name}({', '.join(arguments)})"
    streams = [subject for subject, _ in needed if subject in CAPTURED]
    about = [template for subject, template in needed if subject == "result"]
    at_once = about == ["{}"] and not streams
    lines = script.lines
    if not at_once:
        lines += _called(call, expression, bool(about), streams)
    for subject, template in needed:
        kind, text = call.facets[subject, template]
        if subject in CAPTURED:
            lines.append(f"assert(strcmp({CAPTURED[subject][1]}, {quoted(text)}) == 0);")
            continue
        base = expression if at_once else "result"
        if subject.startswith("argument"):
            base = arguments[int(subject.split()[1])]
        left = _look(template, base, script.objects)
        lines += _assertion(glue, left, kind, text, arguments)
    name = _title(call, needed)
    body = "".join(f"{INDENT}{line}\n" for line in lines)
    return name, f"static void {name}(void) {{\n{body}}}\n"


def _looked_at(call: CallToTest, needed: Sequence[Facet]) -> list[int]:
    """The places of arguments that have to be variables."""
    places = [int(subject.split()[1]) for subject, _ in needed if subject.startswith("argument")]
    seen = (call.facets[facet] for facet in needed)
    return [*places, *(int(text.split()[0]) for kind, text in seen if kind == "@")]


def _called(call: CallToTest, expression: str, kept: bool, streams: Sequence[str]) -> list[str]:
    """The call as a statement, with what it prints caught."""
    type_ = spell(call.function.result) or "__auto_type "
    lines = [f"{type_}result = {expression};" if kept else f"{expression};"]
    for subject in streams:
        stream, name = CAPTURED[subject]
        before = [
            f"FILE *kept_{stream} = {stream};",
            f"char *{name} = NULL;",
            f"size_t {name}_size = 0;",
            f"{stream} = open_memstream(&{name}, &{name}_size);",
        ]
        lines = [*before, *lines, f"fclose({stream});", f"{stream} = kept_{stream};"]
    return lines


def _look(template: str, base: str, objects: Mapping[str, str]) -> str:
    """The expression of a facet."""
    if base in objects:
        name = objects[base]
        for before, after in (("{}->", f"{name}."), ("{}[0]", name)):
            if template.startswith(before):
                return after + template[len(before) :]
        base = f"({base})"
    return template.replace("{}", base)


def _assertion(glue: Glue, left: str, kind: str, text: str, arguments: Sequence[str]) -> list[str]:
    match kind:
        case "n":
            right = integer(int(text))
        case "d" | "e":
            right = real(text, kind == "e")
            if right == "NAN":
                return [f"assert(isnan({left}));"]
        case "s":
            return [f"assert(strcmp((const char *){left}, {quoted(text)}) == 0);"]
        case "0":
            right = "NULL"
        case "*":
            return [f"assert({left} != NULL);"]
        case "&":
            right = glue.functions[int(text)].name
        case "~":
            return [
                f"char written[{len(text) + 2}] = {{0}};",
                f"rewind({left});",
                f"fread(written, 1, {len(text) + 1}, {left});",
                f"assert(strcmp(written, {quoted(text)}) == 0);",
            ]
        case _:
            place, offset = map(int, text.split())
            left = f"(const char *){left}"
            right = f"(const char *){arguments[place]}{f' + {offset}' if offset else ''}"
    return [f"assert({left} == {right});"]


def _title(call: CallToTest, needed: Sequence[Facet]) -> str:
    """A name that says what the test is about."""
    words = ["test", call.function.name]
    if needed:
        subject, template = needed[0]
        kind, text = call.facets[needed[0]]
        if subject == "result" and template == "{}":
            words += ["returns", _said(kind, text)]
        elif subject.startswith("argument"):
            place = int(subject.split()[1])
            words += ["sets", call.function.parameters[place][0], _member(template)]
        elif subject == "global":
            words += ["sets", template]
        elif subject in CAPTURED:
            words.append("prints" if subject == "output" else "complains")
        else:
            words += ["returns", _member(template)]
    name = re.sub(r"_+", "_", re.sub(r"\W", "_", "_".join(words))).strip("_")
    return name[:LONGEST_NAME].rstrip("_")


def _said(kind: str, text: str) -> str:
    match kind:
        case "0":
            return "null"
        case "*":
            return "an_object"
        case "s":
            return re.sub(r"\W+", "_", text[:20], flags=re.ASCII) or "text"
        case "@":
            return "its_argument"
    return text.replace("-", "minus_")


def _member(template: str) -> str:
    """The part of something that an expression looks at."""
    return re.sub(r"\W+", "_", template.replace("{}", ""))
