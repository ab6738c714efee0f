"""Well-known names to which the file around a function gives another meaning.

The prover reads the whole file and trusts none of them; rules see the function only, so they are
told. Nothing is read before a rule has held.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from tree_sitter import Node

from equimut.errors import ParseError
from equimut.languages import dialect_of
from equimut.languages.lowered import Unsupported
from equimut.parsing.tree import SyntaxTree, nodes_of, parse

_WORD = re.compile(r"(?<![\w.])\w+")
"""Not what stands behind a dot: `Math.abs` names no `abs` of its own."""
_PYTHON = ("abs", "int", "len", "range")
"""The builtins that rules believe in."""
_BINDS = r"import[\s(\\]*\*|\b(?:def|class)[\s\\]+(?:{0})\b|\b(?:{0})\b(?!\()"
"""What a text has that gives one of them another meaning: it stands there, and not as a call."""
_TYPES = ("class_declaration", "interface_declaration", "record_declaration", "enum_declaration",
          "annotation_type_declaration", "variable_declarator")  # fmt: skip
_IMPORT = re.compile(r"import\s+(?:static\s+)?([\w.]+)\.(\w+|\*)\s*;")
_UTIL = "java.util"
_C_WORDS = frozenset({"true", "false", "const", "static", "struct", "union", "enum", "unsigned",
                      "signed", "return", "if", "else", "for", "while", "do", "break",
                      "continue"})  # fmt: skip
_DEFINED = re.compile(r"^[ \t]*#[ \t]*(?:define|undef)[ \t]+(\w+)", re.M)


def names_elsewhere(file: str, language: str, *texts: str) -> frozenset[str]:
    """The well-known names of these texts that may mean something else in their file."""
    words = {word for text in texts for word in _WORD.findall(text)}
    if language == "python":
        asked = tuple(name for name in _PYTHON if name in words)
        return _of_python(file, asked) if asked else frozenset()
    finder = _FINDERS.get(language)
    return frozenset() if finder is None else finder(file) & words


@lru_cache(maxsize=16)
def _of_python(file: str, names: tuple[str, ...]) -> frozenset[str]:
    binds = _BINDS.format("|".join(names))
    if file.isascii() and re.search(binds, file) is None:  # other letters may spell the same name
        return frozenset()
    from equimut.languages.python.lowering.modules import module_of

    try:
        module = module_of(file.encode())
    except (Unsupported, RecursionError):
        return frozenset(names)
    return frozenset(name for name in names if module.star_import or name in module)


@lru_cache(maxsize=4)
def _of_java(file: str) -> frozenset[str]:
    """What the file declares or imports from elsewhere, and collections that it does not import."""
    try:
        tree = parse(file, "java")
    except ParseError:
        return frozenset()
    rules = dialect_of("java").expressions
    core = {*rules.boxes, *rules.lengths["length"], "Math"}
    declared = {_name(tree, node) for node in nodes_of(tree, _TYPES)}
    declared |= {tree.text(node).split()[0] for node in nodes_of(tree, ("type_parameter",))}
    packages = {_UTIL} if re.search(r"^\s*package\s+java\.util\s*;", file, re.M) else set()
    imported: dict[str, set[str]] = {}
    imports = "\n".join(tree.text(node) for node in nodes_of(tree, ("import_declaration",)))
    for package, name in _IMPORT.findall(imports):
        if name == "*":
            packages.add(package)
        imported.setdefault(name, set()).add(package)
    # Without a class before it, `abs` is a method of this class or of one above.
    found = {"abs", *(declared & (core | rules.lengths["size"]))}
    for name in core | rules.lengths["size"]:
        home = "java.lang" if name in core else _UTIL
        known = home in imported[name] if name in imported else name in core or home in packages
        if not known or len(imported.get(name, ())) > 1:
            found.add(name)
    return frozenset(found)


@lru_cache(maxsize=4)
def _of_c(file: str) -> frozenset[str]:
    """What it defines for the preprocessor, functions and types."""
    dialect = dialect_of("c")
    rules = dialect.expressions
    words = _C_WORDS | dialect.library | dialect.kinds.keys() | rules.integers
    found = words.intersection(_DEFINED.findall(file))
    try:
        tree = parse(file, "c")
    except ParseError:
        return frozenset(found)
    declared = {_name(tree, node) for node in nodes_of(tree, ("function_declarator",))}
    types = {
        _name(tree, node)
        for kind in nodes_of(tree, ("type_definition",))
        for node in kind.children_by_field_name("declarator")
    }
    known = {dialect.absolute, *rules.lengths, *rules.returns}
    return frozenset(found | (declared & known) | (types & words))


def _name(tree: SyntaxTree, node: Node) -> str:
    """The name that a declaration or declarator declares."""
    inner: Node | None = node
    while inner is not None:
        node = inner
        inner = node.child_by_field_name("name") or node.child_by_field_name("declarator")
    return tree.text(node)


_FINDERS: dict[str, Callable[[str], frozenset[str]]] = {"java": _of_java, "c": _of_c}
