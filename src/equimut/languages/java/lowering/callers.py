"""Who calls a private Java method, and what may be true of the arguments."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations

from tree_sitter import Node

from equimut.languages.java.lowering.functions import Functions, members_at, with_callees
from equimut.languages.java.lowering.types import INT, NULL, STRING
from equimut.languages.java.type_bodies import class_around, modifiers
from equimut.languages.lowered import (
    BOOL,
    Binary,
    Call,
    Callers,
    Expr,
    Function,
    Home,
    Length,
    Lit,
    Local,
    Unsupported,
    walk,
)
from equimut.languages.scopes import named_parts, nodes_below

MOST_SITES = 8
MOST_ASKED = 8
"""Comparisons of a method that may have one answer in all its calls."""
_OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}
_MEMBERS = ("method_declaration", "constructor_declaration")


def lower_callers(home: Home, function: Function) -> Callers | None:
    """All that call a private method; None where one may be missed, or where there are many."""
    type_, source = class_around(home.node), home.source
    if (
        type_ is None
        or home.node.type != "method_declaration"
        or "private" not in modifiers(home.node, source)
        or not function.parameters
    ):
        return None
    root = type_
    while root.parent is not None:
        root = root.parent
    sites: list[Node] = []
    for node in nodes_below(root):
        last = node.children[-1] if node.type == "method_reference" else None
        if last is not None and _text(last, source) == function.name:
            return None
        name = node.child_by_field_name("name")
        if name is None or _text(name, source) != function.name:
            continue
        if node.type == "method_declaration" and node != home.node:
            return None  # of which the call is would have to be found out
        if node.type == "method_invocation":
            sites.append(node)
    makers = {maker for site in sites if (maker := _member_of(site, type_)) is not None}
    if not 0 < len(sites) <= MOST_SITES or any(_member_of(site, type_) is None for site in sites):
        return None
    members, found = members_at(home), []
    for maker in sorted(makers, key=lambda node: node.start_byte):
        try:
            lowered = Functions(source, members).function(maker)
            lowered = with_callees(lowered, members, making=maker.type == _MEMBERS[1])
        except (Unsupported, RecursionError):
            return None
        finished = maker.type == "method_declaration"
        found.append((lowered, finished, maker == home.node))
    calls = [
        part
        for lowered, *_ in found
        for part in walk(lowered.body)
        if isinstance(part, Call)
        and part.name == function.name
        and len(part.arguments) == len(function.parameters)
    ]
    if len(calls) != len(sites) or _spread(home.node):
        return None
    candidates = (*_candidates(function), *_constants(function, calls), *_asked(function))
    return Callers(tuple(found), candidates)


def _text(node: Node, source: bytes) -> str:
    return source[node.start_byte : node.end_byte].decode()


def _spread(method: Node) -> bool:
    parameters = method.child_by_field_name("parameters")
    return parameters is None or any(
        child.type == "spread_parameter" for child in named_parts(parameters)
    )


def _member_of(node: Node, type_: Node) -> Node | None:
    """The method or constructor of the class that executes a node itself."""
    current: Node | None = node
    while current is not None and current.type not in ("lambda_expression", "class_body"):
        if current.type in _MEMBERS:
            body = current.parent
            return current if body is not None and body.parent == type_ else None
        current = current.parent
    return None


def _candidates(function: Function) -> Iterator[tuple[str, Expr]]:
    numbers = [each for each in function.parameters if each.type.kind == "int"]
    objects = [each for each in function.parameters if each.type.kind == "ref"]
    every = "in every call of this private method"
    for local in numbers:
        for least, words in ((0, "is not negative"), (-1, "is at least -1"), (1, "is positive")):
            yield (
                f"`{local.name}` {words} {every}",
                Binary(BOOL, ">=", local, Lit(local.type, least)),
            )
    for local in objects:
        yield f"`{local.name}` is not null {every}", Binary(BOOL, "!=", local, Lit(NULL, None))
    for local in numbers:
        for array in objects:
            if local.type == INT and array.type.name.endswith("[]"):
                for op, words in (("<=", "is at most"), ("<", "is below")):
                    told = f"`{local.name}` {words} the length of `{array.name}` {every}"
                    yield told, Binary(BOOL, op, local, Length(INT, array))
            if local.type == INT and array.type == STRING:
                told = f"`{local.name}` is at most the length of `{array.name}` {every}"
                size = Call(INT, "length", array, (), "String")
                yield told, Binary(BOOL, "<=", local, size)
    for one, other in permutations(numbers, 2):
        if one.type == other.type and len(numbers) <= 4:
            for op, words in (("<=", "is at most"), ("<", "is below")):
                yield (
                    f"`{one.name}` {words} `{other.name}` {every}",
                    Binary(BOOL, op, one, other),
                )


def _constants(function: Function, calls: list[Call]) -> Iterator[tuple[str, Expr]]:
    """The range of the constants that callers pass, and flags that are the same in all calls."""
    every = "in every call of this private method"
    for place, local in enumerate(function.parameters):
        given = [call.arguments[place] for call in calls]
        values = {each.value for each in given if isinstance(each, Lit)}
        if local.type == BOOL and len(values) == 1:
            value = values.pop()
            yield (
                f"`{local.name}` is {str(value).lower()} {every}",
                Binary(BOOL, "==", local, Lit(BOOL, value)),
            )
        numbers = [each for each in values if type(each) is int]
        if local.type.kind == "int" and numbers:
            for op, words, end in ((">=", "least", min(numbers)), ("<=", "most", max(numbers))):
                yield (
                    f"`{local.name}` is at {words} {end} {every}",
                    Binary(BOOL, op, local, Lit(local.type, end)),
                )


def _asked(function: Function) -> Iterator[tuple[str, Expr]]:
    """What the method asks of its parameters: all its callers may have seen to it."""
    known = set(function.parameters)
    asked = [
        part
        for part in walk(function.body)
        if isinstance(part, Binary)
        and part.op in _OPPOSITE
        and part.left.type.kind == part.right.type.kind == "int"
        and all(each in known or isinstance(each, Lit | Length | Binary) for each in walk(part))
        and any(each in known for each in walk(part))
    ]
    for part in list(dict.fromkeys(asked))[:MOST_ASKED]:
        for op in (part.op, _OPPOSITE[part.op]):
            words = f"`{_shown(part.left)} {op} {_shown(part.right)}`"
            yield f"{words} in every call of this private method", replace(part, op=op)


def _shown(node: Expr) -> str:
    if isinstance(node, Local):
        return node.name
    if isinstance(node, Binary):
        return f"{_shown(node.left)} {node.op} {_shown(node.right)}"
    if isinstance(node, Length):
        return f"{_shown(node.array)}.length"
    return str(node.value) if isinstance(node, Lit) else str(node)
