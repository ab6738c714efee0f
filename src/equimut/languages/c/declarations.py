"""The names that C source declares."""

from tree_sitter import Node

from equimut.languages.declared import Names, Variable

_DECLARING = (
    "declaration", "field_declaration", "parameter_declaration", "function_definition",
    "type_definition",
)  # fmt: skip


def read(node: Node, names: Names) -> None:
    """Declare what a node declares."""
    kind = node.child_by_field_name("type")
    name = node.child_by_field_name("name")
    if node.type == "preproc_def":
        value = node.child_by_field_name("value")
        if name is not None:
            number = value is not None and names.text(value).strip("() -").isdigit()
            names.declare(node, names.text(name), Variable("int" if number else "", True))
    elif node.type == "enumerator":
        if name is not None:
            names.declare_everywhere(names.text(name), Variable("int", True))
    elif kind is not None and node.type in _DECLARING:
        base = _base_type(kind, names)
        constant = any(
            child.type == "type_qualifier" and names.text(child) == "const"
            for child in node.children
        )
        for declarator in node.children_by_field_name("declarator"):
            _declare(node, declarator, base, constant, names)


def _base_type(kind: Node, names: Names) -> str:
    words = names.text(kind).split()
    if kind.type in ("struct_specifier", "union_specifier"):
        return "struct"
    if kind.type == "enum_specifier":
        return "enum"
    return type_name(words)


def type_name(words: list[str]) -> str:
    """One name for each way of writing a type of numbers: `long unsigned int` is `uint64_t`."""
    found = next((w for w in words if w in ("double", "float")), "")
    sizes = [word for word in words if word in ("char", "short", "long")]
    size = sizes[0] if sizes else ""
    if not found and "unsigned" in words:
        found = {"char": "uint8_t", "short": "uint16_t", "long": "uint64_t"}.get(size, "unsigned")
    elif not found and "signed" in words:
        found = {"": "int", "char": "int8_t"}.get(size, size)
    return found or size or (words[0] if words else "")


def _declare(node: Node, declarator: Node, base: str, constant: bool, names: Names) -> None:
    initialised, suffix, current = False, "", declarator
    while current.type not in ("identifier", "field_identifier", "type_identifier"):
        if current.type == "init_declarator":
            initialised = True
        elif current.type == "pointer_declarator":
            suffix += "*"
        elif current.type == "array_declarator":
            suffix += "[]"
        elif current.type == "function_declarator":
            inner = current.child_by_field_name("declarator")
            if inner is not None and inner.type == "identifier":
                names.functions.setdefault(names.text(inner), base + suffix)
            return
        inside = current.child_by_field_name("declarator")
        if inside is None:
            inside = next((c for c in current.named_children if "declarator" in c.type), None)
        if inside is None:
            return
        current = inside
    name, full = names.text(current), base + suffix
    if node.type == "type_definition":
        names.aliases[name] = full
    elif node.type == "field_declaration":
        names.declare_field(name, Variable(full))
    else:
        if node.type == "parameter_declaration" and full.endswith("[]"):
            full = full[:-2] + "*"  # an array parameter is a pointer and may be incremented
        frozen = (constant and not suffix) or full.endswith("[]")
        names.declare(node, name, Variable(full, frozen, initialised, constant and bool(suffix)))
