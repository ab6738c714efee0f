"""Java's functions, lowered for symbolic execution."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from tree_sitter import Node

from equimut.languages.java.api import RETURNS
from equimut.languages.java.hierarchy import types_of
from equimut.languages.java.lowering.expressions import Expressions
from equimut.languages.java.lowering.files.looking import of_project
from equimut.languages.java.lowering.files.methods import far_methods, is_quiet
from equimut.languages.java.lowering.files.others import with_nearer, with_others
from equimut.languages.java.lowering.identity import told_apart
from equimut.languages.java.lowering.members import members_around
from equimut.languages.java.lowering.names import THIS
from equimut.languages.java.lowering.results import results_of, types_in_sight
from equimut.languages.java.lowering.scopes import Far, Member, Members, plain_type
from equimut.languages.java.lowering.switches import Switches
from equimut.languages.java.lowering.types import INT, NULL, STRING, VOID, named
from equimut.languages.java.making import kept_unseen
from equimut.languages.java.type_bodies import class_around, modifiers
from equimut.languages.lowered import (
    BOOL,
    Assign,
    Binary,
    Block,
    Call,
    Convert,
    Do,
    Expr,
    Field,
    Function,
    Home,
    InstanceOf,
    Length,
    Lit,
    Stmt,
    Try,
    Type,
    Unary,
    Unsupported,
    walk,
)
from equimut.languages.scopes import named_parts

_DEPTH = 2
_FUNCTIONS = ("method_declaration", "constructor_declaration")


def lower_function(node: Node, source: bytes, members: Members) -> Function:
    """A method or constructor; raises `Unsupported` for what cannot be lowered."""
    if node.type not in _FUNCTIONS:
        raise Unsupported(node.type)
    lowering = Functions(source, members)
    found = lowering.function(node)
    found = with_callees(found, members, making=lowering.constructor)
    assumed = [
        *found.assumptions,
        *(w for each in found.methods.values() for w in each.assumptions),
    ]
    facts = tuple(lowering.entry_facts())
    asked = [name for each in (found, *found.methods.values()) for name in _asked_types(each.body)]
    types = types_of((*members.ancestors, *asked), members.types, members.is_library)
    if lowering.constructor and members.initial:
        found = kept_unseen(found, members.declared, members.shared)
    return replace(
        found, facts=facts, assumptions=tuple(dict.fromkeys(assumed)), types=types if asked else (),
    )  # fmt: skip


def _asked_types(code: Stmt) -> Iterator[str]:
    """The types that objects are asked for: `instanceof`, casts, handlers."""
    for node in walk(code):
        if isinstance(node, InstanceOf):
            yield node.target
        elif isinstance(node, Convert) and node.checked:
            yield node.type.name
        elif isinstance(node, Try):
            yield from (name for catch in node.catches for name in catch.types)


def lower_text(node: Node, source: bytes, home: Home | None = None) -> Function:
    """The function of a text, with what the text around it tells, or the file it belongs to."""
    if home is None:
        return lower_function(node, source, members_around(node, source, _constant))
    members = members_at(home)
    if home.others is not None:
        members = with_others(members, home.others, home.others_source, _constant)
    if home.files and members.own:  # of a class without a name nobody knows what it inherits
        members = replace(members, far=_far(home.files))
    return lower_function(node, source, members)


@lru_cache(maxsize=8)
def _far(files: tuple[tuple[str, Node, bytes], ...]) -> dict[tuple[str, str, int], Far]:
    return far_methods(files)


@lru_cache(maxsize=64)
def members_at(home: Home) -> Members:
    """What is in sight of a function at its place in the file."""
    members, root = members_around(home.node, home.source, _constant), home.node
    if home.others is not None:
        members = with_nearer(members, home.others, home.others_source)
    while root.parent is not None:
        root = root.parent
    members = types_in_sight(members, root, home.node)
    return replace(members, results=results_of(root, home.source, home.node))


def _constant(node: Node, source: bytes, type_: Type, before: dict[str, Member]) -> Expr | None:
    """The value of a constant field: a literal, or operators on literals and constants."""
    if type_.kind == "ref" and type_ != STRING:
        return None
    known = {name: member for name, member in before.items() if member.constant is not None}
    lowering = Expressions(source, Members(known), RETURNS)
    try:
        found = lowering.converted(lowering.lower(node), type_)
    except Unsupported:
        return None
    plain = all(isinstance(part, Lit | Unary | Binary | Convert) for part in walk(found))
    return found if plain and found.type == type_ and "any" not in _kinds(found) else None


def _kinds(node: Expr) -> set[str]:
    return {part.type.kind for part in walk(node) if isinstance(part, Expr)}


def with_callees(
    function: Function, members: Members, depth: int = _DEPTH, *, making: bool = False
) -> Function:
    """A function with the short methods that it calls, and those that they call.

    `making`: while an object is made, its final fields change.
    """
    found: dict[str, Function] = {}
    own = " ".join((function.name, *(each.type.name for each in function.parameters)))
    far = {each.callee: each for each in members.far.values()}
    for part in walk(function.body):
        name = part.callee if isinstance(part, Call) else None
        if name is None or not depth:
            continue
        if name in far:
            found |= _far_away(far[name])
            continue
        node = members.small.get(name)
        if node is None or name == own or name in found:
            continue
        try:
            callee = Functions(members.source, members).function(node, making=making)
        except (Unsupported, RecursionError):
            continue
        below = with_callees(callee, members, depth - 1, making=making)
        found |= {name: callee, **below.methods}
    found.pop(own, None)
    function, *callees = told_apart((function, *found.values()), members.types)
    return replace(function, methods=dict(zip(found, callees, strict=True)))


@lru_cache(maxsize=64)
def _far_away(far: Far) -> dict[str, Function]:
    """A short method of another file, with those that it calls, if it can be looked into."""
    members = members_at(far.home)
    node = members.small.get(f"{far.name} {far.key}".strip())
    type_ = class_around(far.home.node)
    if node is None or node != far.home.node or type_ is None or not is_quiet(type_):
        return {}  # the first call may do what initialises the class
    try:
        callee = with_callees(Functions(members.source, members).function(node), members)
    except (Unsupported, RecursionError):
        return {}
    return of_project(far.callee, callee, far.owner)


def lower_callees(
    home: Home, function: Function
) -> Iterator[tuple[str, tuple[bytes, int], Function]]:
    """The longer methods that a function calls and nothing can override: name, place, code."""
    mine, far = members_at(home), _far(home.files) if home.files else {}
    away = {each.callee: each for each in far.values()}
    names = [
        part.callee
        for part in walk(function.body)
        if isinstance(part, Call) and part.type.kind in ("int", "ref")
    ]
    for name in dict.fromkeys(names):
        if name is None or name in function.methods:
            continue
        members = members_at(away[name].home) if name in away else mine
        node = away[name].home.node if name in away else members.longer.get(name)
        if node is None:
            continue
        try:
            callee = with_callees(Functions(members.source, members).function(node), members)
        except (Unsupported, RecursionError):
            continue
        yield name, (members.source, node.start_byte), callee


class Functions(Switches):
    """Lowers one function."""

    def entry_facts(self) -> Iterator[tuple[str, Expr]]:
        """What the initialisers of final fields tell."""
        for name in self.members.ancestors:
            yield f"this is a {name}", InstanceOf(BOOL, THIS, name)
        if self.constructor:
            return
        for name, member in self.members.fields.items():
            if not member.made or member.constant is not None or not (member.own or member.static):
                continue
            place = self.member(name)
            words = f"`{name}` is set once, before it is used"
            yield words, Binary(BOOL, "!=", place, Lit(NULL, None))
            if member.elements is not None and member.type.name.endswith("[]"):
                size = Length(INT, place)
                counted = f"`{name}` has {member.elements} elements"
                yield counted, Binary(BOOL, "==", size, Lit(INT, member.elements))

    def with_initial(self, body: Block) -> Block:
        """A constructor with what the fields of its object are before its body runs."""
        first = body.statements[0] if body.statements else None
        call = first.value if isinstance(first, Do) else None
        chained = isinstance(call, Call) and call.name == "<init>"
        if isinstance(call, Call) and chained and call.key.startswith("this"):
            return body
        if self.members.above:
            self.taken.add(f"`{self.members.above}` is the class that another file declares")
        start: list[Stmt] = []
        for name, value in self.members.initial:
            member = self.members.fields.get(name)
            if member is None or not member.own or member.static:
                continue
            place = Field(member.type, THIS, name, nullable=False, resolved=True)
            first_value = _zero(member.type)
            if value is not None:
                first_value = _first_value(self.members, value, member.type)
            if first_value is not None:
                start.append(Do(Assign(member.type, place, first_value)))
        split = 1 if chained else 0
        return Block((*body.statements[:split], *start, *body.statements[split:]))

    def function(self, node: Node, *, making: bool = False) -> Function:
        maker = node.type == "constructor_declaration"
        self.constructor = maker or making
        name = self.text(self._part(node, "name"))
        result = node.child_by_field_name("type")
        empty = node.child_by_field_name("dimensions")
        self._result = plain_type(result, self.source, empty) if result is not None else VOID
        parameters = []
        for child in named_parts(self._part(node, "parameters")):
            if child.type == "formal_parameter":
                kind = plain_type(
                    self._part(child, "type"), self.source, child.child_by_field_name("dimensions")
                )
                parameters.append(self.scopes.declare(self.text(self._part(child, "name")), kind))
            elif child.type == "spread_parameter":
                declarator = next(c for c in child.children if c.type == "variable_declarator")
                kind_node = next(
                    c
                    for c in named_parts(child)
                    if c.type not in ("modifiers", "variable_declarator")
                )
                kind = named(self.text(kind_node) + "[]")
                parameters.append(
                    self.scopes.declare(self.text(self._part(declarator, "name")), kind)
                )
        body = self.statement(self._part(node, "body"))
        if maker and isinstance(body, Block):
            body = self.with_initial(body)
        static = "static" in modifiers(node, self.source)
        assumed = tuple(sorted(self.taken))
        return Function(
            name, tuple(parameters), body, self._result, static=static, assumptions=assumed
        )


def _zero(type_: Type) -> Expr | None:
    """What a field of this type holds that nobody has set."""
    zeros: dict[str, object] = {"int": 0, "bool": False, "float": 0.0, "ref": None}
    if type_.kind not in zeros:
        return None
    return Lit(NULL if type_.kind == "ref" else type_, zeros[type_.kind])


def _first_value(members: Members, value: Node, type_: Type) -> Expr | None:
    """The value of an initialiser, which stands in the file."""
    lowering = Functions(members.source, members)
    try:
        if value.type == "array_initializer":
            return lowering.initialiser(value, type_)
        return lowering.converted(lowering.lower(value), type_)
    except Unsupported:
        return None
