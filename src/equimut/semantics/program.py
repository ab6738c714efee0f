"""A parsed source with what operators and rules ask of a node: parent, operands, type, names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from tree_sitter import Node

from equimut.languages import ATOM_LEVEL, UNARY_LEVEL, Dialect, dialect_of
from equimut.parsing.tree import SyntaxTree, walk
from equimut.semantics.declarations import Declarations
from equimut.semantics.inference import Types, numeric_names


@dataclass(frozen=True)
class Binary:
    """One application of a binary operator; a chain `a < b < c` holds two."""

    node: Node
    left: Node
    operator: Node
    right: Node
    spelling: str
    chained: bool


class Program:
    """The tree of one source; everything here is read-only after construction.

    With `guesses`, types also follow from how a name is used: enough for a mutant worth trying,
    not for a proof. `rebound`: builtins to which the text around gives another meaning.
    """

    def __init__(
        self,
        tree: SyntaxTree,
        *,
        guesses: bool = False,
        rebound: frozenset[str] = frozenset(),
    ) -> None:
        self.tree = tree
        self.source = tree.source
        self.dialect: Dialect = dialect_of(tree.language.name)
        self._slots: dict[int, tuple[Node | None, str]] = {tree.root.id: (None, "")}
        self.answers: dict[tuple[str, int, object], bool] = {}
        """What rules found out about nodes, so that no question is worked on twice."""
        self._guesses = guesses
        self.rebound = rebound

    @cached_property
    def declarations(self) -> Declarations:
        """The names that the source declares."""
        return Declarations(self)

    @cached_property
    def types(self) -> Types:
        """The types of its expressions."""
        if not self._guesses:
            return Types(self, None)
        self.types = Types(self, frozenset())
        return Types(self, numeric_names(self))  # what was unknown may now be a number

    def _slot(self, node: Node) -> tuple[Node | None, str]:
        """The node around this one, and the name of its field there.

        Found when it is asked for: most rules look at a few nodes near a change.
        """
        slot = self._slots.get(node.id)
        if slot is None:
            around = node.parent
            if around is not None:
                self._fill(around)
            slot = self._slots.get(node.id)
        if slot is None:  # the parser's own search lost its way, or the node is of another tree
            for each in walk(self.tree.root):
                self._fill(each)
            slot = self._slots.setdefault(node.id, (None, ""))
        return slot

    def _fill(self, node: Node) -> None:
        for index, child in enumerate(node.children):
            self._slots[child.id] = (node, node.field_name_for_child(index) or "")

    @cached_property
    def identifiers(self) -> dict[str, list[Node]]:
        """The identifiers by name, in the order of the text."""
        found: dict[str, list[Node]] = defaultdict(list)
        for node in walk(self.tree.root):
            if node.type == "identifier":
                found[self.text(node)].append(node)
        return found

    @cached_property
    def macros(self) -> frozenset[str]:
        """Names that the preprocessor replaces by anything but a number."""
        names = self._named("preproc_function_def") | self._named("preproc_def")
        root = self.tree.root.id
        known = {name: self.declarations.at(root, name) for name in names}
        return frozenset(name for name, found in known.items() if found is None or not found.type)

    @cached_property
    def types_of_its_own(self) -> frozenset[str]:
        """Names of the types that the text defines itself."""
        kinds = ("class_declaration", "interface_declaration", "record_declaration")
        return frozenset().union(*(self._named(kind) for kind in (*kinds, "enum_declaration")))

    def _named(self, kind: str) -> frozenset[str]:
        found = (node for node in walk(self.tree.root) if node.type == kind)
        names = (node.child_by_field_name("name") for node in found)
        return frozenset(self.text(name) for name in names if name is not None)

    def text(self, node: Node) -> str:
        """The source text of a node."""
        return self.source[node.start_byte : node.end_byte].decode()

    def parent(self, node: Node) -> Node | None:
        """The node around this one."""
        return self._slot(node)[0]

    def field(self, node: Node) -> str:
        """The name of the field this node is in its parent, or an empty string."""
        return self._slot(node)[1]

    def ancestors(self, node: Node) -> Iterator[Node]:
        """The nodes around this one, innermost first."""
        current = self.parent(node)
        while current is not None:
            yield current
            current = self.parent(current)

    def role(self, node: Node) -> str:
        """What a node is to the operators; an empty string for anything else."""
        if not node.is_named:
            return ""
        role = self.dialect.roles.get(node.type, "")
        if role == "number":  # C has one node type for both
            text = self.text(node).lower()
            is_hex = text.startswith("0x")
            return "float" if "." in text or ("e" in text and not is_hex) else "integer"
        return role

    def modifiers(self, node: Node) -> list[str]:
        """The words before a declaration: `static`, `final`, ..."""
        found = [self.text(child) for child in node.children if child.type == "modifiers"]
        return " ".join(found).split()

    def is_value(self, node: Node) -> bool:
        """Whether the node stands where an expression's value is used."""
        parent, field = self._slot(node)
        if parent is None:
            return False
        slots = self.dialect.value_slots
        return (parent.type, field) in slots or (parent.type, "*") in slots

    def inner(self, node: Node) -> Node:
        """The expression inside any number of parentheses."""
        while self.role(node) == "group":
            inside = [c for c in node.named_children if "comment" not in c.type]
            if len(inside) != 1:
                return node
            node = inside[0]
        return node

    def outer(self, node: Node) -> Node:
        """The expression with all parentheses that stand directly around it."""
        parent = self.parent(node)
        while parent is not None and self.role(parent) == "group":
            node, parent = parent, self.parent(parent)
        return node

    def operator(self, node: Node) -> str:
        """The spelling of a unary, update or assignment operator."""
        found = node.child_by_field_name("operator")
        if found is not None:
            return self.text(found)
        if node.type == "not_operator":
            return "not"
        return next((c.type for c in node.children if not c.is_named), "")

    def operand(self, node: Node) -> Node | None:
        """The operand of a unary or update expression."""
        for name in ("operand", "argument"):
            found = node.child_by_field_name(name)
            if found is not None:
                return found
        return node.named_children[0] if node.named_children else None

    def binaries(self, node: Node) -> list[Binary]:
        """The applications of binary operators that the node is made of."""
        if node.type != "comparison_operator":
            left, operator, right = (
                node.child_by_field_name(name) for name in ("left", "operator", "right")
            )
            if left is None or operator is None or right is None:
                return []
            return [Binary(node, left, operator, right, self.text(operator), chained=False)]
        operators = node.children_by_field_name("operators")
        operands = [c for c in node.named_children if "comment" not in c.type]
        if len(operands) != len(operators) + 1:
            return []
        return [
            Binary(
                node,
                left,
                sign,
                right,
                " ".join(self.text(sign).split()),
                chained=len(operators) > 1,
            )
            for left, sign, right in zip(operands, operators, operands[1:], strict=False)
        ]

    def binary(self, node: Node) -> Binary | None:
        """The single application of a binary operator that the node is, if it is one."""
        if self.role(node) != "binary":
            return None
        found = self.binaries(node)
        return found[0] if len(found) == 1 else None

    def level(self, node: Node) -> int:
        """How tightly the outermost operator of an expression binds."""
        role = self.role(node)
        if role == "binary":
            found = self.binaries(node)
            return self.dialect.precedence.get(found[0].spelling, 0) if found else 0
        if node.type == "not_operator":
            return self.dialect.negation_level
        if role in ("unary", "cast", "pointer"):
            return UNARY_LEVEL
        if role in ("ternary", "assign", "lambda"):
            return 5
        return ATOM_LEVEL

    def required_level(self, node: Node) -> int:
        """How tightly a replacement of this node must bind to need no parentheses."""
        parent = self.parent(node)
        if parent is None:
            return 0
        role = self.role(parent)
        if role == "binary":
            own = self.level(parent)
            first = self.field(node) == "left" and own < UNARY_LEVEL  # `**` groups to the right
            return own if first else own + 1
        if role in ("unary", "cast", "pointer"):
            return self.level(parent)
        if role in ("call", "element", "field"):
            inside = ("index", "subscript", "arguments")
            return 0 if self.field(node) in inside else ATOM_LEVEL
        if role == "ternary":
            return 6
        return 0

    def enclosing(self, node: Node, types: frozenset[str]) -> Node | None:
        """The innermost node around this one whose type is one of those given."""
        return next((found for found in self.ancestors(node) if found.type in types), None)

    def type_of(self, node: Node) -> str:
        """The type of an expression, or an empty string."""
        return self.types.of(node)

    def kind(self, node: Node) -> str:
        """`int`, `small`, `float`, `bool`, `string`, `null`, `array`, `pointer`, ... or empty."""
        return self.declarations.kind_of_type(self.type_of(node))
