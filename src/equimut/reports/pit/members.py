"""Classes, methods and lambdas of a Java file by the names they have in bytecode."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from equimut.reports.pit.descriptors import fits
from equimut.reports.pit.lambdas import Lambdas, Reported, is_static
from equimut.semantics.program import Program

_TYPES = frozenset(
    {f"{kind}_declaration" for kind in ("class", "interface", "enum", "record", "annotation_type")}
)
_BODIES = frozenset({"class_body", "interface_body", "enum_body", "annotation_type_body"})
_NUMBERED = re.compile(r"(\d{1,6})(\w*)$")


class NotFound(Exception):
    """Why there is no single piece of source for a name of the bytecode, in one line."""


class Members:
    """Looks up what PIT names in one parsed file."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._locals: dict[int, list[Node]] = {}
        self._lambdas: dict[int, Lambdas] = {}

    def class_body(self, name: str, line: int) -> Node:
        """The body of the class `package.Outer$Inner$1`."""
        simple = name.rpartition(".")[2]
        places = list(self._named(self._program.tree.root, simple))
        for body, rest in places:
            found = self._nested(body, rest, line)
            if found is not None:
                return found
        raise NotFound(f"class {name} is not in the file")

    def lambda_bodies(
        self, body: Node, method: str, descriptor: str, line: int, reported: tuple[Reported, ...]
    ) -> list[Node]:
        """The bodies of the lambdas that may have become this method; at least one."""
        if body.id not in self._lambdas:
            self._lambdas[body.id] = Lambdas(self._program, body)
        found = self._lambdas[body.id].candidates(method, descriptor, line, reported)
        bodies = [inner for one in found if (inner := one.child_by_field_name("body"))]
        if not bodies:
            raise NotFound(f"no lambda that became {method} at line {line}")
        return bodies

    def parts(self, body: Node, method: str, descriptor: str, line: int) -> list[Node]:
        """The pieces of source that make up a method, in the order of its bytecode."""
        members = list(_members(body))
        if method == "<clinit>":
            return [part for member in members for part in self._static_parts(member)]
        if method == "<init>":
            return self._constructor(body, members, descriptor, line)
        named = [
            member
            for member in members
            if member.type == "method_declaration" and self._name(member) == method
        ]
        chosen = self._overload(named, descriptor, line, method)
        inner = chosen.child_by_field_name("body")
        if inner is None:
            raise NotFound(f"method {method} has no body")
        return [inner]

    def _overload(self, named: list[Node], descriptor: str, line: int, method: str) -> Node:
        if not named:
            raise NotFound(f"method {method} is not in the source: the compiler made it")
        fitting = [m for m in named if fits(self._program, m, descriptor)]
        around = [m for m in fitting or named if self._spans(m, line)]
        if len(around) != 1:
            why = "none" if not around else str(len(around))
            raise NotFound(f"ambiguous: {why} of {len(named)} methods {method} fit line {line}")
        return around[0]

    def _constructor(
        self, body: Node, members: list[Node], descriptor: str, line: int
    ) -> list[Node]:
        """Field initialisers stand in every constructor, after the call of `super`."""
        initial = [part for member in members for part in self._instance_parts(member)]
        declared = [
            m
            for m in members
            if m.type in ("constructor_declaration", "compact_constructor_declaration")
        ]
        here = [m for m in declared if self._spans(m, line)]
        if len(here) > 1:
            here = [m for m in here if fits(self._program, m, descriptor)]
        if not here:
            return initial
        if len(here) > 1:
            raise NotFound(f"ambiguous: {len(here)} constructors at line {line}")
        inner = here[0].child_by_field_name("body")
        if inner is None:
            return initial
        first, *_ = [*inner.named_children, None]
        call = first if first is not None and "explicit" in first.type else None
        if call is None:
            return [*initial, inner]
        rest = [child for child in inner.named_children if child.id != call.id]
        return [call, *initial, *rest]

    def _named(self, root: Node, simple: str) -> Iterator[tuple[Node, str]]:
        """Types directly below a node whose name starts the given name, and what is left of it."""
        for node in root.named_children:
            inner = node.child_by_field_name("body")
            if node.type in _TYPES and inner is not None:
                name = self._name(node)
                if simple == name:
                    yield inner, ""
                elif simple.startswith(f"{name}$"):
                    yield inner, simple[len(name) + 1 :]
            elif node.type in ("enum_body_declarations", "ERROR"):
                yield from self._named(node, simple)

    def _nested(self, body: Node, rest: str, line: int) -> Node | None:
        if not rest:
            return body
        for inner, left in self._named(body, rest):
            found = self._nested(inner, left, line)
            if found is not None:
                return found
        head, _, tail = rest.partition("$")
        numbered = _NUMBERED.match(head)
        if numbered is None:
            return None
        number, name = int(numbered[1]), numbered[2]
        if body.id not in self._locals:
            self._locals[body.id] = list(_local_bodies(body))
        local = [node for node in self._locals[body.id] if self._local_name(node) == name]
        around = [node for node in local if self._spans(node, line)]
        if len(around) > 1 or (len(around) == 1 and name):
            exact = local[number - 1 : number]
            around = [node for node in around if node in exact] or around
        if len(around) != 1:
            why = "no" if not around else f"ambiguous: {len(around)}"
            raise NotFound(f"{why} classes {head} at line {line}")
        return self._nested(around[0], tail, line)

    def _local_name(self, body: Node) -> str:
        parent = self._program.parent(body)
        return self._name(parent) if parent is not None and parent.type in _TYPES else ""

    def _static_parts(self, member: Node) -> Iterator[Node]:
        if member.type == "static_initializer":
            yield from (child for child in member.named_children if child.type == "block")
        elif member.type == "enum_constant":
            arguments = member.child_by_field_name("arguments")
            if arguments is not None:
                yield arguments
        elif member.type == "constant_declaration" or (
            member.type == "field_declaration" and is_static(self._program, member)
        ):
            yield from member.children_by_field_name("declarator")

    def _instance_parts(self, member: Node) -> Iterator[Node]:
        if member.type == "block":
            yield member
        elif member.type == "field_declaration" and not is_static(self._program, member):
            yield from member.children_by_field_name("declarator")

    def _spans(self, node: Node, line: int) -> bool:
        tree = self._program.tree
        return tree.line(node.start_byte) <= line <= tree.line(node.end_byte)

    def _name(self, node: Node) -> str:
        name = node.child_by_field_name("name")
        return self._program.text(name) if name is not None else ""


def _members(body: Node) -> Iterator[Node]:
    for child in body.named_children:
        if child.type == "enum_body_declarations":
            yield from child.named_children
        else:
            yield child


def _local_bodies(body: Node) -> Iterator[Node]:
    """Bodies of local and anonymous classes directly inside a class, in the order of the text."""
    for child in body.children:
        if child.type in _TYPES:
            # A member class; a local class, further down, is a child of a block.
            if body.type not in _BODIES and body.type != "enum_body_declarations":
                inner = child.child_by_field_name("body")
                if inner is not None:
                    yield inner
        elif child.type in _BODIES:
            yield child
        else:
            yield from _local_bodies(child)
