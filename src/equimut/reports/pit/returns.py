"""What a method returns in a PIT mutant, written in Java."""

import re

from tree_sitter import Node

from equimut.reports.pit.descriptors import result
from equimut.reports.pit.mutation import PitMutation, Wanted
from equimut.semantics.program import Program
from equimut.semantics.values import has_effects

_PLAIN = {
    **{text: text for text in ("0", "0L", "0.0f", "false", "true", '""', "null")},
    "0.0d": "0.0", "False": "false", "True": "true",
}  # fmt: skip
_BOXED_ZERO = {
    "Integer": "0", "Long": "0L", "Float": "0.0f", "Double": "0.0",
    "Short": "(short) 0", "Byte": "(byte) 0", "Character": "(char) 0",
}  # fmt: skip
_PACKAGES = {
    "Collections": "java.util",
    **{f"Optional{kind}": "java.util" for kind in ("", "Int", "Long", "Double")},
    **{f"{kind}Stream": "java.util.stream" for kind in ("", "Int", "Long", "Double")},
}
_FACTORY = re.compile(r"(\w+)\.(\w+)(?:\(\))?$")
_STATEMENTS = frozenset({"assignment_expression", "update_expression", "method_invocation"})
_NARROW = {"B": "(byte) ", "S": "(short) ", "C": "(char) "}


def returned(program: Program, node: Node, wanted: Wanted, mutation: PitMutation) -> str | None:
    """The text in place of a `return` statement, or of the expression that is a lambda's body."""
    statement = node.type == "return_statement"
    values = [child for child in node.named_children if "comment" not in child.type]
    value = (values[0] if values else None) if statement else node
    if value is None:
        return None
    if wanted.value == "old":
        kind = result(mutation.descriptor)
        return _old(program.text(value), kind, _declared(program, node), statement)
    text = _value(program, wanted)
    if text is None:
        return None
    if not has_effects(program, value):
        return f"return {text};" if statement else text
    effects = kept(program, [value], _declared(program, node) or "var")
    return f"{{ {' '.join(effects)} return {text}; }}"


def kept(program: Program, nodes: list[Node], kind: str = "var") -> list[str]:
    """Statements that do what computing these expressions does."""
    found: list[str] = []
    for node in nodes:
        inner = program.inner(node)
        if not has_effects(program, inner):
            continue
        text = program.text(inner)
        name = "ignored" if not found else f"ignored{len(found) + 1}"
        found.append(f"{text};" if inner.type in _STATEMENTS else f"{kind} {name} = {text};")
    return found


def _value(program: Program, wanted: Wanted) -> str | None:
    if wanted.number in _BOXED_ZERO and wanted.value in ("0", "0L"):
        return _BOXED_ZERO[wanted.number]
    if wanted.value in _PLAIN:
        return _PLAIN[wanted.value]
    found = _FACTORY.match(wanted.value)
    package = _PACKAGES.get(found[1]) if found else None
    if found is None or package is None:
        return None
    imports = rf"(?:^|;)\s*import\s+{re.escape(package)}\.(?:{found[1]}|\*)\s*;"
    known = re.search(imports.encode(), program.source, re.MULTILINE)
    owner = found[1] if known else f"{package}.{found[1]}"
    return f"{owner}.{found[2]}()"


def _old(text: str, kind: str, declared: str, statement: bool) -> str | None:
    """The mutator that PIT had for all types before 1.4; a value is changed, not replaced."""
    if kind == "Z":
        value = f"!({text})"
    elif kind in ("I", "B", "S", "C"):
        narrow = _NARROW.get(kind, "")
        value = f"({text}) == 0 ? 1 : 0"
        value = f"{narrow}({value})" if narrow else value
    elif kind == "J":
        value = f"({text}) + 1"
    elif kind in ("F", "D"):
        value = f"-(({text}) + 1)"
    elif kind.startswith(("L", "[")):
        # In a lambda the type must be written: what is around is inferred from it.
        name = declared or _java_name(kind)
        null = "null" if declared else f"({name}) null"
        check = f"if (ignored != null) {{ return {null}; }} throw new RuntimeException();"
        return f"{{ {name} ignored = {text}; {check} }}"
    else:
        return None
    return f"return {value};" if statement else value


def _java_name(kind: str) -> str:
    """`java.util.List` for `Ljava/util/List;`."""
    plain = re.match(r"L([^;]+);$", kind)
    return plain[1].replace("/", ".").replace("$", ".") if plain else "Object"


def _declared(program: Program, node: Node) -> str:
    """The type that the method around is declared to return; empty in a lambda."""
    for around in program.ancestors(node):
        if around.type == "lambda_expression":
            break
        if around.type == "method_declaration":
            kind = around.child_by_field_name("type")
            return program.text(kind) if kind is not None else ""
    return ""
