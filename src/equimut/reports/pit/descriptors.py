"""JVM method descriptors, `(ILjava/lang/String;)V`, and the parameters of the source."""

import re

from tree_sitter import Node

from equimut.semantics.program import Program

_DESCRIPTOR = re.compile(r"\(([^()]*)\)(.+)$")
_PARAMETER = re.compile(r"(\[*)(?:([BCDFIJSZ])|L([^;]+);)")
LETTERS = {
    "byte": "B", "char": "C", "double": "D", "float": "F", "int": "I", "long": "J", "short": "S",
    "boolean": "Z", "void": "V",
}  # fmt: skip
_PRIMITIVE = {letter: name for name, letter in LETTERS.items()}
_PARAMETERS = frozenset({"formal_parameter", "spread_parameter"})


def parameters(descriptor: str) -> list[str] | None:
    """Parameter types by their simple names (`int`, `String[]`); None if it is no descriptor."""
    found = _DESCRIPTOR.match(descriptor)
    if found is None:
        return None
    kinds = []
    for arrays, primitive, name in _PARAMETER.findall(found[1]):
        plain = _PRIMITIVE[primitive] if primitive else re.split(r"[/$]", name)[-1]
        kinds.append(plain + "[]" * len(arrays))
    return kinds


def result(descriptor: str) -> str:
    """The part of a descriptor for what is returned: `I`, `V`, `Ljava/lang/String;`."""
    found = _DESCRIPTOR.match(descriptor)
    return found[2] if found else ""


def fits(program: Program, method: Node, descriptor: str) -> bool:
    """Whether a method or constructor can have this descriptor.

    Constructors get extra parameters from the compiler (the outer object, captured variables),
    and a type parameter becomes its bound, which another file may tell: both are let through.
    """
    wanted = parameters(descriptor)
    if wanted is None:
        return True
    declared = declared_parameters(program, method)
    if method.type == "method_declaration" and len(declared) != len(wanted):
        return False
    variables = _type_variables(program, method)
    for kinds in _windows(wanted, len(declared)):
        pairs = zip(declared, kinds, strict=True)
        if all(mine == theirs or _erased(mine, theirs, variables) for mine, theirs in pairs):
            return True
    return False


def declared_parameters(program: Program, method: Node) -> list[str]:
    """The types of the parameters in the source, without type arguments and packages."""
    around = method.child_by_field_name("parameters")
    found = []
    for child in around.named_children if around is not None else []:
        if child.type not in _PARAMETERS:
            continue
        kind = child.child_by_field_name("type")
        if kind is None:
            plain = [
                c
                for c in child.named_children
                if c.type not in ("modifiers", "variable_declarator")
            ]
            kind = plain[0] if plain else child
        text = re.sub(r"<.*>|@\w+(\([^)]*\))?|\s", "", program.text(kind), flags=re.DOTALL)
        dims = child.child_by_field_name("dimensions")
        arrays = program.text(dims).count("[") if dims is not None else 0
        arrays += child.type == "spread_parameter"
        found.append(text.rpartition(".")[2] + "[]" * arrays)
    return found


def _windows(kinds: list[str], length: int) -> list[list[str]]:
    return [kinds[start : start + length] for start in range(len(kinds) - length + 1)]


def _erased(mine: str, theirs: str, variables: frozenset[str]) -> bool:
    """A type variable may be any class, with as many array brackets."""
    base = mine.rstrip("[]")
    same_depth = mine.count("[") == theirs.count("[")
    return base in variables and same_depth and theirs.rstrip("[]") not in _PRIMITIVE.values()


def _type_variables(program: Program, method: Node) -> frozenset[str]:
    names = set()
    for around in [method, *program.ancestors(method)]:
        for child in around.named_children:
            if child.type == "type_parameters":
                for parameter in child.named_children:
                    names.add(re.split(r"\s|<", program.text(parameter))[0])
    return frozenset(names)
