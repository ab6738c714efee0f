"""Java's types of objects: some of the JDK's, and those that a file declares."""

from collections.abc import Callable, Iterable, Mapping

from tree_sitter import Node

from equimut.languages.java.api import SUPERTYPES
from equimut.languages.object_types import ObjectType
from equimut.languages.scopes import nodes_below

_CONSTANT = ("Constable", "ConstantDesc")
_NUMBER = ("Object", "Number", "Comparable", "Serializable")
_RUNTIME = ("RuntimeException", "Exception", "Throwable")
_ABOVE: dict[str, tuple[str, ...]] = {
    "String": ("Object", "CharSequence", "Comparable", "Serializable", *_CONSTANT),
    "StringBuilder": ("Object", "AbstractStringBuilder", "Appendable", "CharSequence",
                      "Comparable", "Serializable"),
    "StringBuffer": ("Object", "AbstractStringBuilder", "Appendable", "CharSequence",
                     "Comparable", "Serializable"),
    "Boolean": ("Object", "Comparable", "Serializable", "Constable"),
    "Character": ("Object", "Comparable", "Serializable", "Constable"),
    "Byte": (*_NUMBER, "Constable"), "Short": (*_NUMBER, "Constable"),
    **dict.fromkeys(("Integer", "Long", "Float", "Double"), (*_NUMBER, *_CONSTANT)),
}  # fmt: skip
FINAL = {
    name: ObjectType(name, frozenset(above), True, True, True) for name, above in _ABOVE.items()
}
"""Final classes of `java.lang` with everything that they are."""
CLASSES = {
    name: ObjectType(name, frozenset((*above, "Object")), classes=True)
    for name, above in {
        "Object": (), "Number": (), "Throwable": (),
        "Exception": ("Throwable",), "RuntimeException": _RUNTIME[1:],
        "Error": ("Throwable",), "IOException": ("Exception", "Throwable"),
        **SUPERTYPES,
        **dict.fromkeys(("IllegalArgumentException", "IllegalStateException",
                         "IndexOutOfBoundsException", "UnsupportedOperationException"), _RUNTIME),
        "NumberFormatException":
            ("IllegalArgumentException", *_RUNTIME),
        "ArrayList": ("AbstractList", "AbstractCollection"),
        "LinkedList": ("AbstractSequentialList", "AbstractList", "AbstractCollection"),
        "HashSet": ("AbstractSet", "AbstractCollection"),
        "TreeSet": ("AbstractSet", "AbstractCollection"),
        "HashMap": ("AbstractMap",), "TreeMap": ("AbstractMap",),
        "LinkedHashMap": ("HashMap", "AbstractMap"),
        "LinkedHashSet": ("HashSet", "AbstractSet", "AbstractCollection"),
    }.items()
}  # fmt: skip
"""Classes that others may extend, with all classes above them."""
INTERFACES = {
    name: ObjectType(name, frozenset((*above, "Object")))
    for name, above in {
        "CharSequence": (), "Comparable": (), "Runnable": (), "Iterable": (), "Iterator": (),
        "Collection": ("Iterable",), "List": ("Collection", "Iterable"),
        "Set": ("Collection", "Iterable"), "Queue": ("Collection", "Iterable"),
        "Map": (), "Serializable": (), "Cloneable": (),
    }.items()
}  # fmt: skip
_JDK = {**INTERFACES, **CLASSES, **FINAL}
OF_JDK = frozenset(_JDK)
"""The names of the JDK's types of which something is known here."""
_ARRAY = frozenset({"Object", "Cloneable", "Serializable"})
_NUMBERS = frozenset({"byte", "short", "char", "int", "long", "float", "double", "boolean"})
_HEADS = {"class_declaration", "interface_declaration", "enum_declaration", "record_declaration"}


def types_of(
    names: Iterable[str], declared: Mapping[str, ObjectType | None], of_jdk: Callable[[str], bool]
) -> tuple[ObjectType, ...]:
    """The types of these names that are known."""
    found = (_type(name, declared, of_jdk) for name in sorted(set(names)))
    return tuple(each for each in found if each is not None)


def _type(
    name: str, declared: Mapping[str, ObjectType | None], of_jdk: Callable[[str], bool]
) -> ObjectType | None:
    if name.endswith("[]"):
        plain = name.removesuffix("[]") in _NUMBERS
        return ObjectType(name, _ARRAY, whole=plain, final=plain, array=True)
    if name in declared:
        return declared[name]
    return _JDK[name] if name in _JDK and of_jdk(name) else None


def declared_types(
    function: Node, source: bytes, of_jdk: Callable[[str], bool]
) -> dict[str, ObjectType | None]:
    """The types of a function's file; None where it is not certain what a name means."""
    around, at = set(), function.parent
    while at is not None:
        around.add(at.id)
        root, at = at, at.parent
    heads: dict[str, Node | None] = {}
    for node in nodes_below(root) if around else ():
        if node.type == "type_parameter":
            name = next(each for each in node.children if each.type == "type_identifier")
            heads[_text(name, source)] = None
        elif node.type in _HEADS and (label := node.child_by_field_name("name")) is not None:
            text = _text(label, source)
            seen = node.parent is not None and node.parent.id in around  # else of another class
            heads[text] = node if seen and text not in heads else None
    return {
        name: None if node is None else _of_head(name, node, heads, source, of_jdk)
        for name, node in heads.items()
    }


def _of_head(
    name: str,
    node: Node,
    heads: dict[str, Node | None],
    source: bytes,
    of_jdk: Callable[[str], bool],
) -> ObjectType:
    """A class of the file, with the classes above it as far as they are in sight."""
    if node.type == "interface_declaration":
        return ObjectType(name, frozenset({"Object"}))
    above: list[str] = []
    at: Node | None = node
    while at is not None and (head := at.child_by_field_name("superclass")) is not None:
        extended = _text(head, source).removeprefix("extends").split("<")[0].strip()
        if extended in above:
            return ObjectType(name)  # a circle: no program
        above.append(extended)
        at = heads.get(extended)
        if at is None or at.type != "class_declaration":
            known = extended not in heads and extended in CLASSES and of_jdk(extended)
            if not known:
                return ObjectType(name, frozenset(above))
            above += CLASSES[extended].above
            break
    return ObjectType(name, frozenset((*above, "Object")), classes=True)


def _text(node: Node, source: bytes) -> str:
    return source[node.start_byte : node.end_byte].decode()
