"""Lambdas by the methods that javac makes of them: `lambda$run$2` is a lambda inside `run`."""

import re
from collections.abc import Callable, Iterator

from tree_sitter import Node

from equimut.parsing.tree import walk
from equimut.reports.pit.descriptors import parameters, result
from equimut.semantics.program import Program

Reported = tuple[str, str, int]
"""Method, descriptor and line of a mutation."""

Numbering = Callable[[str], Node | None]
"""A way to number lambdas: the lambda that has this name."""

_NAME = re.compile(r"lambda\$(.+?)(?:\$[0-9a-f]{4,8})?\$(\d{1,6})$")  # a hash if serializable
_BODIES = frozenset({"class_body", "interface_body", "enum_body", "annotation_type_body"})
_CONSTRUCTORS = frozenset({"constructor_declaration", "compact_constructor_declaration"})


class Lambdas:
    """The lambdas of one class body, without those of classes inside it.

    Numbers count through the class, inner lambdas first (javac up to 22), or through the
    lambdas of one method name, outer ones first (javac from 23 on). Which it was, the report
    itself tells: every lambda it names must be on its line. Some method references become
    lambdas too and take a number, so where there are any, numbers prove nothing.
    """

    def __init__(self, program: Program, body: Node) -> None:
        self._program = program
        self._inner_first = list(_lambdas(body, inner_first=True))
        self._outer_first = list(_lambdas(body, inner_first=False))
        self._owner = {found.id: self._method_around(found) for found in self._inner_first}
        self._checked: tuple[Reported, ...] | None = None
        self._ways: list[Numbering] = []
        self._counted = not any(node.type == "method_reference" for node in walk(body))

    def candidates(
        self, method: str, descriptor: str, line: int, reported: tuple[Reported, ...]
    ) -> list[Node]:
        """The lambdas that may be this method; more than one if even the numbers do not tell."""
        found = [one for one in self._inner_first if self._may_be(one, method, descriptor, line)]
        if len(found) < 2 or not self._counted:
            return found
        if self._checked is not reported:  # the same for all of a class: checked once
            both = (self._by_class, self._by_method)
            self._checked, self._ways = reported, [w for w in both if self._holds(w, reported)]
        named = {one.id for way in self._ways if (one := way(method)) is not None}
        chosen = [one for one in found if one.id in named]
        return chosen if len(chosen) == 1 else found

    def _holds(self, way: Numbering, reported: tuple[Reported, ...]) -> bool:
        """Whether this way of numbering puts all that is reported on its line."""
        return all(
            (one := way(method)) is not None and self._may_be(one, method, descriptor, line)
            for method, descriptor, line in reported
        )

    def _by_class(self, method: str) -> Node | None:
        name = _NAME.match(method)
        at = int(name[2]) if name else -1
        return self._inner_first[at] if 0 <= at < len(self._inner_first) else None

    def _by_method(self, method: str) -> Node | None:
        name = _NAME.match(method)
        if name is None:
            return None
        own = [one for one in self._outer_first if self._owner[one.id] == name[1]]
        return own[int(name[2])] if int(name[2]) < len(own) else None

    def _may_be(self, node: Node, method: str, descriptor: str, line: int) -> bool:
        name, tree = _NAME.match(method), self._program.tree
        return (
            name is not None
            and self._owner[node.id] == name[1]
            and tree.line(node.start_byte) <= line <= tree.line(node.end_byte)
            and _fits(node, descriptor)
        )

    def _method_around(self, node: Node) -> str:
        """The part of the name that tells where the lambda stands."""
        for around in self._program.ancestors(node):
            if around.type == "method_declaration":
                name = around.child_by_field_name("name")
                return self._program.text(name) if name is not None else ""
            if around.type == "static_initializer":
                return "static"
            if around.type in ("field_declaration", "constant_declaration"):
                return "static" if is_static(self._program, around) else "new"
            if around.type == "enum_constant":
                return "static"
            if around.type in _BODIES or around.type in _CONSTRUCTORS:
                return "new"
        return ""


def is_static(program: Program, member: Node) -> bool:
    """Whether a member of a class is static; constants of interfaces are."""
    return "static" in program.modifiers(member) or member.type == "constant_declaration"


def _lambdas(node: Node, *, inner_first: bool) -> Iterator[Node]:
    for child in node.children:
        if child.type in _BODIES:
            continue
        is_lambda = child.type == "lambda_expression"
        if is_lambda and not inner_first:
            yield child
        yield from _lambdas(child, inner_first=inner_first)
        if is_lambda and inner_first:
            yield child


def _fits(node: Node, descriptor: str) -> bool:
    """Whether a lambda can have this descriptor: captured variables come before its own."""
    declared = node.child_by_field_name("parameters")
    count = 0
    if declared is not None:
        named = [child for child in declared.named_children if "comment" not in child.type]
        count = 1 if declared.type == "identifier" else len(named)
    kinds = parameters(descriptor)
    if kinds is None:
        return True
    if len(kinds) < count:
        return False
    body = node.child_by_field_name("body")
    if body is None or body.type != "block":
        return True
    returns = any(one.type == "return_statement" and one.named_child_count for one in _own(body))
    return returns == (result(descriptor) != "V")


def _own(body: Node) -> Iterator[Node]:
    """The nodes of a body without those of lambdas and classes inside it."""
    for child in body.children:
        yield child
        if child.type != "lambda_expression" and child.type not in _BODIES:
            yield from _own(child)
