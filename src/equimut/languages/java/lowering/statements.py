"""Java's statements, lowered: blocks, declarations, jumps, handlers."""

from tree_sitter import Node

from equimut.languages.java.api import RETURNS
from equimut.languages.java.lowering.expressions import Expressions
from equimut.languages.java.lowering.names import THIS
from equimut.languages.java.lowering.scopes import Members, plain_type
from equimut.languages.java.lowering.types import (
    VOID,
    erased,
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
            found: Stmt = handler(node)
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
        return Block((Do(self.lower(lock)), self._scoped(body)))

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
            names = tuple(erased(self.text(child)).split(".")[-1] for child in named_parts(kinds))
            local = self.scopes.declare(
                self.text(self._part(parameter, "name")), Type("ref", name=names[0])
            )
            return Catch(names, local, self.statement(self._part(node, "body")))

    def opaque_statement(self, node: Node) -> Stmt:
        below = nodes_below(node)
        writes: dict[str, Local] = {}
        leaves: set[tuple[str, str]] = set()
        for child in below:
            if child.type in ("assignment_expression", "update_expression"):
                target = child.child_by_field_name("left") or next(iter(named_parts(child)), None)
                if target is not None and target.type == "identifier":
                    local = self.scopes.find(self.text(target))
                    if local is not None:
                        writes[local.name] = local
            elif child.type in ("break_statement", "continue_statement", "yield_statement"):
                raise Unsupported(f"a jump inside {node.type}")
            elif child.type == "return_statement":
                leaves.add(("return", ""))
        if node.type in ("class_declaration", "record_declaration", "local_class_declaration"):
            raise Unsupported("a local class")
        return OpaqueStmt(
            self.text(node),
            self.reads(node),
            tuple(writes[name] for name in sorted(writes)),
            tuple(sorted(leaves)),
        )
