"""Whether the value of a local variable can still be read after a node of its function.

A walk over structured code, forwards from the node, on every path; where the walk is not sure
it says that the value is read.
"""

import re

from tree_sitter import Node

from equimut.parsing.tree import walk
from equimut.semantics.names import is_tame, occurrences, scope_of
from equimut.semantics.program import Program

_EXCEPTIONAL = frozenset({"try", "with", "synchronized"})
"""Inside these a failing expression goes on somewhere else in the function."""
_WILD = frozenset({"goto_statement", "yield", "yield_statement", "await", "asm_statement",
                   "labeled_statement", "gnu_asm_expression"})  # fmt: skip
_JUMPS = frozenset({"break_statement", "continue_statement"})
_ENDS = frozenset({"return_statement", "throw_statement", "raise_statement"})


def is_dead_after(program: Program, function: Node, start: Node, name: str) -> bool:
    """Whether nothing reads the variable's value once an expression is evaluated."""
    if not is_tame(program, function, name):
        return False
    if any(node.type in _WILD for node in walk(function)):
        return False
    if program.dialect.introspection and _is_read_by_name(program, function, name):
        return False
    finder = _Finder(program, name)
    scope = _scope(program, function, start, name)
    if _kinds_between(program, start, scope, function) & _EXCEPTIONAL:
        return False
    node = start
    while node.id != scope.id and node.id != function.id:
        parent = program.parent(node)
        if parent is None:
            return False
        answer = finder.after(parent, node)
        if answer is not None:
            return answer
        if parent.type in _ENDS:
            return True
        node = parent
    return True


def _scope(program: Program, function: Node, start: Node, name: str) -> Node:
    for node in occurrences(program, start, name):
        return scope_of(program, function, node)
    return function


def _kinds_between(program: Program, start: Node, scope: Node, function: Node) -> set[str]:
    """The kinds of the statements around a node, inside the scope of the variable."""
    kinds: set[str] = set()
    for around in program.ancestors(start):
        if around.id in (scope.id, function.id):
            break
        kinds.add(program.dialect.statements.get(around.type, ""))
    return kinds


def _is_read_by_name(program: Program, function: Node, name: str) -> bool:
    """Code may read its variables by name: through its frame, or in a text that is a query."""
    reading = program.dialect.introspection | program.rebound
    for node in walk(function):
        if node.type == "identifier" and program.text(node) in reading:
            return True
        if node.type == "string_content" and re.search(rf"\b{name}\b", program.text(node)):
            around = program.enclosing(node, frozenset(program.dialect.statements))
            text = program.parent(node)
            if around is None or text is None or program.parent(text) != around:
                return True  # not only a comment in the form of a text
    return False


class _Finder:
    """Looks for reads of one variable."""

    def __init__(self, program: Program, name: str) -> None:
        self._program = program
        self._name = name
        self._jumped = False
        """Whether a `break` or `continue` was passed: what comes later may not be executed."""

    def after(self, parent: Node, node: Node) -> bool | None:
        """True: dead. False: may be read. None: this parent does not decide."""
        kind = self._program.dialect.statements.get(parent.type, "")
        if self._program.role(parent) == "assign" and self._program.field(node) == "right":
            left = parent.child_by_field_name("left")
            is_target = left is not None and self._program.text(left) == self._name
            if is_target and self._program.operator(parent) == "=":
                # Otherwise these are two writes without an order.
                return self._program.dialect.ordered_operands
            return False if left is not None and self._occurs(left) else None
        if kind == "switch" or parent.type == "switch_block" or self._is_switch_body(parent):
            return self._after_choice(parent, node)
        if kind in ("while", "do", "for"):
            return self._after_loop(parent, node)
        if kind == "if" or self._program.role(parent) == "ternary":
            return self._after_branch(parent, node)
        return self._in_sequence(parent, node)

    def _after_choice(self, parent: Node, node: Node) -> bool | None:
        """Any of the branches may follow, and a jump in one of them skips what comes later."""
        rest = [child for child in parent.named_children if child.start_byte >= node.end_byte]
        if any(self._occurs(child) for child in rest):
            return False
        self._jumped |= any(inside.type in _JUMPS for child in rest for inside in walk(child))
        return None

    def _is_switch_body(self, node: Node) -> bool:
        parent = self._program.parent(node)
        return parent is not None and self._program.dialect.statements.get(parent.type) == "switch"

    def _in_sequence(self, parent: Node, node: Node) -> bool | None:
        """What follows a node among its siblings, in order."""
        for sibling in parent.named_children:
            if sibling.start_byte < node.end_byte:
                continue
            read, passes = self.look(sibling)
            if read:
                return False
            if not passes and not self._jumped:
                return True
        return None

    def _after_branch(self, parent: Node, node: Node) -> bool | None:
        """After the condition both branches may follow; after a branch nothing of the `if`."""
        field = self._program.field(node)
        if not field:  # Python writes the condition behind the value
            others = [child for child in parent.named_children if child.id != node.id]
            return False if any(self._occurs(child) for child in others) else None
        if field == "condition" or node.type == "elif_clause":
            return self._after_choice(parent, node)
        if field in ("consequence", "alternative", "body"):
            return None
        return self._in_sequence(parent, node)

    def _after_loop(self, loop: Node, node: Node) -> bool | None:
        """Whatever is inside may come again, but for what the start of a `for` does."""
        target = loop.child_by_field_name("name") or loop.child_by_field_name("left")
        if target is not None and self._program.text(target) == self._name:
            # Every round begins with a new value; Java's variable ends with the loop.
            later = [c for c in loop.named_children if c.start_byte >= node.end_byte]
            return False if any(self._occurs(child) for child in later) else None
        starts = ("init", "initializer", "right")
        again = [
            child
            for index, child in enumerate(loop.children)
            if child.is_named and loop.field_name_for_child(index) not in starts
        ]
        if any(self._reads_first(child) for child in again):
            return False
        self._jumped = False  # a jump leads to the loop's start or behind it: both are looked at
        return None

    def _reads_first(self, node: Node) -> bool:
        return self.look(node)[0]

    def look(self, node: Node) -> tuple[bool, bool]:
        """Whether a node may read the variable first, and whether it may leave it as it is."""
        if not self._occurs(node):
            self._jumped |= any(inside.type in _JUMPS for inside in walk(node))
            return False, not self._always_ends(node)
        inner = node
        if self._program.dialect.statements.get(node.type) == "expression" and node.named_children:
            inner = node.named_children[0]
        if self._program.role(inner) == "assign" and self._program.operator(inner) == "=":
            left, right = (inner.child_by_field_name(part) for part in ("left", "right"))
            if left is not None and right is not None and self._program.text(left) == self._name:
                return (True, False) if self._occurs(right) else (False, False)
        if node.type in ("block", "compound_statement"):
            return self._look_into(node)
        if self._program.dialect.statements.get(node.type) == "if":
            return self._look_at_branches(node)
        if node.type == "else_clause":
            return self._look_into(node)
        return True, True

    def _look_into(self, block: Node) -> tuple[bool, bool]:
        for child in block.named_children:
            read, passes = self.look(child)
            if read:
                return True, True
            if not passes:
                return (True, True) if self._jumped else (False, False)
        return False, True

    def _look_at_branches(self, node: Node) -> tuple[bool, bool]:
        condition, then, other = (
            node.child_by_field_name(part) for part in ("condition", "consequence", "alternative")
        )
        if condition is None or then is None or self._occurs(condition):
            return True, True
        answers = [self.look(then), self.look(other) if other is not None else (False, True)]
        if node.child_count and sum(child.type == "elif_clause" for child in node.children):
            return True, True
        return any(read for read, _ in answers), any(passes for _, passes in answers)

    def _always_ends(self, node: Node) -> bool:
        """Whether a statement leaves the function: nothing after it sees the variable.

        Inside a `try` it may lead to a handler; those were refused before.
        """
        return node.type in _ENDS

    def _occurs(self, node: Node) -> bool:
        return bool(occurrences(self._program, node, self._name))
