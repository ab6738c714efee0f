"""Java's statements, lowered: blocks, declarations, jumps, handlers."""

from typing import Literal

from tree_sitter import Node

from equimut.languages.java.api import RETURNS
from equimut.languages.java.lowering.expressions import Expressions
from equimut.languages.java.lowering.names import THIS
from equimut.languages.java.lowering.scopes import Members, plain_type
from equimut.languages.java.lowering.types import (
    VOID,
)
from equimut.languages.lowered import (
    ANY,
    Block,
    Call,
    Catch,
    Declare,
    Do,
    Expr,
    If,
    Labeled,
    Leave,
    Local,
    OpaqueStmt,
    Stmt,
    Try,
    Type,
    Unsupported,
)
from equimut.languages.scopes import named_parts, nodes_below


class Statements(Expressions):
    """Lowers the statements of one function."""

    def __init__(self, source: bytes, members: Members) -> None:
        super().__init__(source, members, RETURNS)
        self._result = VOID
        self._loops: list[str] = []
        """Labels that `break` leaves, innermost last; those of loops begin with `loop`."""
        self._number = 0
        self._named_labels: dict[str, str] = {}
        """Labels of the source -> ours."""

    def statement(self, node: Node) -> Stmt:
        """The statement of a node."""
        handler = getattr(self, f"_s_{node.type}", None)
        if handler is not None:
            loops, labels = list(self._loops), dict(self._named_labels)
            try:
                found: Stmt = handler(node)
            except Unsupported:
                self._loops, self._named_labels = loops, labels
                return self.opaque_statement(node)
            return found
        if node.type in ("line_comment", "block_comment", ";"):
            return Block(())
        return self.opaque_statement(node)

    def _s_block(self, node: Node) -> Stmt:
        with self.scopes.inner():
            return Block(tuple(self._sequence(named_parts(node))))

    _s_constructor_body = _s_block

    def _sequence(self, nodes: list[Node]) -> list[Stmt]:
        found: list[Stmt] = []
        for child in nodes:
            lowered = self.statement(child)
            if isinstance(lowered, Block) and child.type == "local_variable_declaration":
                found.extend(lowered.statements)
            else:
                found.append(lowered)
        return found

    def _s_class_declaration(self, node: Node) -> Stmt:
        raise Unsupported("a local class")

    _s_record_declaration = _s_class_declaration
    _s_enum_declaration = _s_class_declaration
    _s_interface_declaration = _s_class_declaration

    def _s_explicit_constructor_invocation(self, node: Node) -> Stmt:
        arguments = self.arguments(self._part(node, "arguments"))
        return Do(Call(ANY, "<init>", THIS, arguments, "super", self.text(node)))

    def _s_local_variable_declaration(self, node: Node) -> Stmt:
        kind = self._part(node, "type")
        found: list[Stmt] = []
        for declarator in node.children_by_field_name("declarator"):
            type_ = plain_type(kind, self.source, declarator.child_by_field_name("dimensions"))
            value_node = declarator.child_by_field_name("value")
            value: Expr | None = None
            if value_node is not None:
                if value_node.type == "array_initializer":
                    value = self.initialiser(value_node, type_)
                else:
                    value = self.lower(value_node)
                if type_.name == "var":
                    type_ = value.type
                value = self.converted(value, type_)
            name = self.text(self._part(declarator, "name"))
            found.append(Declare(self.scopes.declare(name, type_), value))
        return Block(tuple(found))

    def _s_if_statement(self, node: Node) -> Stmt:
        condition = self.condition(self.lower(self._part(node, "condition")))
        then = self._scoped(self._part(node, "consequence"))
        other = node.child_by_field_name("alternative")
        return If(condition, then, self._scoped(other) if other is not None else Block(()))

    def _scoped(self, node: Node) -> Stmt:
        with self.scopes.inner():
            return self.statement(node)

    def _s_labeled_statement(self, node: Node) -> Stmt:
        inside = named_parts(node)
        if len(inside) == 1:
            return Block(())  # `name: ;` has no part but its name
        name = self.text(inside[0])
        before = dict(self._named_labels)
        if inside[1].type in ("while_statement", "for_statement", "do_statement",
                              "enhanced_for_statement"):  # fmt: skip
            self._named_labels[name] = f"loop{self._number + 1}"
            body = self.statement(inside[1])
            self._named_labels = before
            return body
        label = f"label {name}"
        self._named_labels[name] = label
        body = self.statement(inside[1])
        self._named_labels = before
        return Labeled(label, body)

    def _s_break_statement(self, node: Node) -> Stmt:
        return Leave("break", None, self._jump_target(node, "break"))

    def _s_continue_statement(self, node: Node) -> Stmt:
        return Leave("continue", None, self._jump_target(node, "continue"))

    def _jump_target(self, node: Node, how: str) -> str:
        inside = named_parts(node)
        if inside:
            name = self.text(inside[0])
            if name not in self._named_labels:
                raise Unsupported("a jump to a label that is not there")
            return self._named_labels[name]
        targets = [label for label in self._loops if how == "break" or label.startswith("loop")]
        if not targets:
            raise Unsupported(f"{how} outside of a loop")
        return targets[-1]

    def _s_return_statement(self, node: Node) -> Stmt:
        inside = named_parts(node)
        if not inside:
            return Leave("return")
        return Leave("return", self.converted(self.lower(inside[0]), self._result))

    def _s_throw_statement(self, node: Node) -> Stmt:
        return Leave("throw", self.lower(named_parts(node)[0]))

    def _s_synchronized_statement(self, node: Node) -> Stmt:
        lock, body = named_parts(node)[0], self._part(node, "body")
        # Other threads may have written between the locks: both ends are calls that nobody knows,
        # and there is no way out but by the second.
        taken, given = (
            Do(Call(VOID, name, receiver, ()))
            for name, receiver in (("$take", self.lower(lock)), ("$give", None))
        )
        return Block((taken, Try(self._scoped(body), (), Block((given,)))))

    def _s_try_statement(self, node: Node) -> Stmt:
        body = self._scoped(self._part(node, "body"))
        catches, always = [], Block(())
        for child in node.children:
            if child.type == "catch_clause":
                catches.append(self._catch(child))
            elif child.type == "finally_clause":
                lowered = self._scoped(named_parts(child)[0])
                assert isinstance(lowered, Block)
                always = lowered
        return Try(body, tuple(catches), always)

    def _catch(self, node: Node) -> Catch:
        with self.scopes.inner():
            parameter = next(c for c in node.children if c.type == "catch_formal_parameter")
            kinds = next(c for c in parameter.children if c.type == "catch_type")
            names = tuple(self.asked_type(self.text(child)) for child in named_parts(kinds))
            local = self.scopes.declare(
                self.text(self._part(parameter, "name")), Type("ref", name=names[0])
            )
            return Catch(names, local, self.statement(self._part(node, "body")))

    def opaque_statement(self, node: Node) -> Stmt:
        """A statement that is not looked into: what it reads and writes, and where it may go."""
        if any(child.type in _LOCAL_CLASSES for child in nodes_below(node)):
            raise Unsupported("a local class")  # its objects know the locals around it
        reads = self.reads(node)
        writes: dict[str, Local] = {}
        if node.type == "local_variable_declaration":
            kind = self._part(node, "type")
            for each in node.children_by_field_name("declarator"):
                type_ = plain_type(kind, self.source, each.child_by_field_name("dimensions"))
                type_ = ANY if type_.name == "var" else type_
                local = self.scopes.declare(self.text(self._part(each, "name")), type_)
                writes[local.name] = local
        leaves: set[tuple[str, str]] = set()
        for child in _executed(node):
            if child.type in ("assignment_expression", "update_expression"):
                target = child.child_by_field_name("left") or next(iter(named_parts(child)), None)
                if target is not None and target.type == "identifier":
                    local_ = self.scopes.find(self.text(target))
                    if local_ is not None:
                        writes[local_.name] = local_
            elif child.type == "instanceof_expression" and child.child_by_field_name("name"):
                raise Unsupported("a pattern that may be in sight behind it")
            elif child.type in ("break_statement", "continue_statement"):
                if not _inside(child, node, self.source):
                    how: Literal["break", "continue"] = (
                        "break" if child.type == "break_statement" else "continue"
                    )
                    leaves.add((how, self._jump_target(child, how)))
            elif child.type == "return_statement":
                leaves.add(("return", ""))
        return OpaqueStmt(
            self.text(node),
            reads,
            tuple(writes[name] for name in sorted(writes)),
            tuple(sorted(leaves)),
        )


_LOCAL_CLASSES = ("class_declaration", "record_declaration", "enum_declaration",
                  "interface_declaration")  # fmt: skip
_LOOPS = ("while_statement", "for_statement", "do_statement", "enhanced_for_statement")


def _executed(node: Node) -> list[Node]:
    """What is below a statement and belongs to it, not to a lambda or an anonymous class."""
    found, stack = [], [node]
    while stack:
        current = stack.pop()
        found.append(current)
        if current.type not in ("lambda_expression", "class_body"):
            stack.extend(current.children)
    return found


def _inside(jump: Node, node: Node, source: bytes) -> bool:
    """Whether a jump goes to a place inside of a statement."""
    label = next(iter(named_parts(jump)), None)
    current = jump
    while current != node:
        assert current.parent is not None
        current = current.parent
        if label is not None:
            if current.type == "labeled_statement":
                name = named_parts(current)[0]
                if (
                    source[name.start_byte : name.end_byte]
                    == source[label.start_byte : label.end_byte]
                ):
                    return True
        elif current.type in _LOOPS or (
            current.type == "switch_expression" and jump.type == "break_statement"
        ):
            return True
    return False
