"""What may be true of the private fields of a Java class, and all code that can change them."""

from collections.abc import Iterator
from itertools import combinations, permutations

from tree_sitter import Node

from equimut.languages.java.api import QUIET_SUPERCLASSES
from equimut.languages.java.lowering.functions import Functions, members_at, with_callees
from equimut.languages.java.lowering.names import THIS
from equimut.languages.java.lowering.scopes import Member, Members
from equimut.languages.java.lowering.types import INT, NULL
from equimut.languages.java.making import hands_out
from equimut.languages.java.superclasses import highest_above
from equimut.languages.java.type_bodies import class_around, modifiers_of
from equimut.languages.lowered import (
    BOOL,
    Binary,
    Block,
    ClassCode,
    Expr,
    Field,
    Function,
    Home,
    Length,
    Lit,
    Unsupported,
)
from equimut.languages.scopes import nodes_below

MOST_FIELDS = 8
_MEMBERS = ("method_declaration", "constructor_declaration", "compact_constructor_declaration")


def class_place(home: Home) -> int | None:
    """Where the class around a method begins; None where nothing can be said of its fields."""
    type_ = class_around(home.node)
    if home.node.type != "method_declaration":
        return None  # a constructor: the object is not finished
    return type_.start_byte if type_ is not None and type_.type == "class_declaration" else None


def lower_class(home: Home) -> ClassCode | None:
    """The class around a function: what sets its private and final fields, and what may be true."""
    members, type_ = members_at(home), class_around(home.node)
    if type_ is None or not members.own:
        return None
    writers = _writers(type_, home.source)
    final = _is_final_first(members, type_)
    fields = {
        name: member
        for name, member in members.fields.items()
        if _counts(name, member, type_, home.source)
        and None not in writers.get(name, ())
        # A superclass may set others before this class does, and an initialiser may ask for any.
        and (members.initial or (member.final and final))
    }
    if not fields or len(fields) > MOST_FIELDS:
        return None
    nodes = {node for name in fields for node in writers.get(name, ()) if node is not None}
    ordered = sorted(nodes, key=lambda node: node.start_byte)
    try:
        lowered = [_lowered(node, members) for node in ordered if node.type == _MEMBERS[0]]
        makers = list(_makers(type_, members))
    except (Unsupported, RecursionError):
        return None
    return ClassCode(
        members.own,
        tuple(makers),
        frozenset({members.own} if hands_out(type_, home.source) else ()),
        tuple(lowered),
        tuple(_candidates(fields)),
    )


def _is_final_first(members: Members, type_: Node) -> bool:
    """Whether no constructor above can ask for a final field before it is set.

    A method that compares such a field with null is there for a constructor that does.
    """
    if not members.latent or members.extended not in members.declared:
        return False
    highest = highest_above(members.extended, type_, members.source)
    return not highest or (highest in QUIET_SUPERCLASSES and members.is_library(highest))


def _lowered(node: Node, members: Members) -> Function:
    found = Functions(members.source, members).function(node)
    return with_callees(found, members, making=node.type == _MEMBERS[1])


def _makers(type_: Node, members: Members) -> Iterator[Function]:
    """The constructors; those that begin with another one are covered by that."""
    body = type_.child_by_field_name("body")
    assert body is not None
    nodes = [each for each in body.named_children if each.type == "constructor_declaration"]
    for node in nodes:
        yield _lowered(node, members)
    if not nodes:
        lowering = Functions(members.source, members)
        yield Function(members.own, (), lowering.with_initial(Block(())), INT)


def _counts(name: str, member: Member, type_: Node, source: bytes) -> bool:
    """Whether a field is an object's own, and only its class can write it."""
    if not member.own or member.static or member.type.kind not in ("int", "ref"):
        return False
    words = modifiers_of(name, type_, source)
    if words is None or {"volatile", "transient"} & words:
        return False
    return "private" in words or "final" in words


def _writers(type_: Node, source: bytes) -> dict[str, set[Node | None]]:
    """Who assigns each name: methods and constructors of the class itself, or None for others."""
    root = type_
    while root.parent is not None:
        root = root.parent
    found: dict[str, set[Node | None]] = {}
    for node in nodes_below(root):
        if node.type not in ("assignment_expression", "update_expression"):
            continue
        target = node.child_by_field_name("left") or next(
            (each for each in node.named_children if "comment" not in each.type), None
        )
        while target is not None and target.type == "parenthesized_expression":
            target = next(iter(target.named_children), None)
        if target is None:
            continue
        if target.type == "field_access":
            name = target.child_by_field_name("field")
            assert name is not None
            inside = _member_of(node, type_)
        elif target.type == "identifier":
            name, inside = target, _member_of(node, type_)
            if inside is None and _elsewhere(name, type_, source):
                continue
        else:
            continue
        text = source[name.start_byte : name.end_byte].decode()
        found.setdefault(text, set()).add(inside)
    return found


def _elsewhere(name: Node, type_: Node, source: bytes) -> bool:
    """Whether a name stands in another class, where it is something else."""
    text = source[name.start_byte : name.end_byte].decode()
    current = name.parent
    while current is not None and current != type_:
        inner = current.type == "class_declaration"
        if inner and modifiers_of(text, current, source) is not None:
            return True
        current = current.parent
    return current is None


def _member_of(node: Node, type_: Node) -> Node | None:
    """The method or constructor of the class that executes a node itself, not a class or lambda."""
    current = node
    while current.parent is not None:
        parent = current.parent
        if current.type in ("lambda_expression", "class_body"):
            return None
        if current.type in _MEMBERS[:2]:
            return current if parent.parent == type_ else None
        current = parent
    return None


def _candidates(fields: dict[str, Member]) -> Iterator[tuple[str, Expr, Expr]]:
    """Signs, order, lengths and presence."""
    numbers = {name: each for name, each in fields.items() if each.type.kind == "int"}
    objects = {name: each for name, each in fields.items() if each.type.kind == "ref"}
    for name, member in numbers.items():
        for least, words in ((0, "is never negative"), (-1, "is at least -1"), (1, "is positive")):
            limit = Lit(member.type, least)
            yield _claim(f"`{name}` {words}{_REASON}", ">=", (name, member), limit)
    for name, member in objects.items():
        yield _claim(f"`{name}` is never null{_REASON}", "!=", (name, member), Lit(NULL, None))
        if member.type.name.endswith("[]"):
            sizes = [Length(INT, _place(name, member, made)) for made in (False, True)]
            claims = [Binary(BOOL, ">=", size, Lit(INT, 1)) for size in sizes]
            yield f"`{name}` has at least one element{_REASON}", claims[0], claims[1]
    for (name, member), (other, array) in (
        (one, two) for one in numbers.items() for two in objects.items()
    ):
        if member.type == INT and array.type.name.endswith("[]"):
            for op, words in (("<=", "is at most"), ("<", "is below"), ("==", "is")):
                sides = [
                    Binary(
                        BOOL,
                        op,
                        _place(name, member, made),
                        Length(INT, _place(other, array, made)),
                    )
                    for made in (False, True)
                ]
                yield f"`{name}` {words} the length of `{other}`{_REASON}", sides[0], sides[1]
    for (name, member), (other, second) in permutations(numbers.items(), 2):
        if member.type == second.type and len(numbers) <= 5:
            sides = [
                Binary(BOOL, "<=", _place(name, member, made), _place(other, second, made))
                for made in (False, True)
            ]
            yield f"`{name}` is at most `{other}`{_REASON}", sides[0], sides[1]
    for (name, member), (other, second) in combinations(objects.items(), 2):
        if member.type.name.endswith("[]") and second.type.name.endswith("[]"):
            sides = [
                Binary(BOOL, "==", *(Length(INT, _place(each, kind, made))
                                     for each, kind in ((name, member), (other, second))))
                for made in (False, True)
            ]  # fmt: skip
            yield f"`{name}` is as long as `{other}`{_REASON}", sides[0], sides[1]


_REASON = ", as every constructor and method keeps it and nobody else writes it"


def _claim(words: str, op: str, field: tuple[str, Member], value: Expr) -> tuple[str, Expr, Expr]:
    seen, made = (Binary(BOOL, op, _place(*field, each), value) for each in (False, True))
    return words, seen, made


def _place(name: str, member: Member, made: bool) -> Field:
    final = member.final and not made
    return Field(member.type, THIS, name, final, nullable=False, resolved=True)
