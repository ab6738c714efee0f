"""Locals of which only the truth is ever asked, and loops behind which a function ends."""

import ast

from equimut.languages.python.lowering.modules import bound_by
from equimut.languages.python.lowering.scopes import FunctionNode, own_nodes

_TESTED = (ast.If, ast.While, ast.IfExp, ast.Assert)


def flags(function: FunctionNode, local: frozenset[str]) -> frozenset[str]:
    """Locals that constants are given to and whose truth alone is ever asked."""
    asked = _asked(function)
    nodes = list(own_nodes(function))
    given: set[str] = set()
    other: set[str] = set()
    for node in nodes:
        single = isinstance(node, ast.Assign) and len(node.targets) == 1
        target = node.targets[0] if isinstance(node, ast.Assign) and single else None
        if isinstance(target, ast.Name):
            given.add(target.id)
        if not isinstance(node, ast.Name):
            other |= set(bound_by(node))
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            other.add(node.target.id)  # it reads what it changes
    own = {id(node) for node in nodes}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load | ast.Del):
            seen = id(node) in own and id(node) in asked
            other |= set() if seen else {node.id}
    parameters = {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
    return frozenset(given - other - parameters) & local


def _asked(function: FunctionNode) -> set[int]:
    """Expressions of which nothing but the truth matters."""
    stack: list[ast.expr] = [
        node.test for node in own_nodes(function) if isinstance(node, _TESTED)
    ] + [
        node.operand
        for node in own_nodes(function)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    ]
    found: set[int] = set()
    while stack:
        node = stack.pop()
        found.add(id(node))
        if isinstance(node, ast.BoolOp):
            stack += node.values
    return found


def last_loops(function: FunctionNode) -> set[int]:
    """Loops behind which the function ends: to break is to return nothing."""
    found: set[int] = set()
    stack = [function.body]
    while stack:
        block = stack.pop()
        if not block:
            continue
        last = block[-1]
        if isinstance(last, ast.For | ast.While):
            found.add(id(last))
            stack.append(last.orelse)
        elif isinstance(last, ast.If):
            stack += [last.body, last.orelse]
        elif isinstance(last, ast.With):
            stack.append(last.body)
        elif isinstance(last, ast.Try):
            stack += [last.orelse, *(each.body for each in last.handlers)]
            stack += [] if last.orelse else [last.body]
    return found
