"""Contracts of library functions, from their notation to terms."""

import ast
from collections.abc import Callable, Mapping
from functools import cache

import z3

from equimut.proofs.smt.symbolic.terms import Term, apply


@cache
def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def term_of(text: str, names: Mapping[str, Term]) -> Term:
    """An expression of a contract over these names."""
    return _term(_parsed(text), names)


def string_length(value: Term) -> Term:
    """The length of a string: strings never change."""
    return apply("length of string", z3.BitVecSort(32), [value])


_ORDER: dict[type[ast.cmpop], Callable[[Term, Term], Term]] = {
    ast.Lt: lambda a, b: a < b, ast.LtE: lambda a, b: a <= b, ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b, ast.Eq: lambda a, b: a == b, ast.NotEq: lambda a, b: a != b,
}  # fmt: skip


def _term(node: ast.expr, names: Mapping[str, Term]) -> Term:
    if isinstance(node, ast.Name):
        return names[node.id]
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.UnaryOp):
        inner = _term(node.operand, names)
        return -inner if isinstance(node.op, ast.USub) else z3.Not(inner)
    if isinstance(node, ast.BinOp):
        left, right = _term(node.left, names), _term(node.right, names)
        return left + right if isinstance(node.op, ast.Add) else left - right
    if isinstance(node, ast.BoolOp):
        parts = [_term(value, names) for value in node.values]
        return z3.And(*parts) if isinstance(node.op, ast.And) else z3.Or(*parts)
    if isinstance(node, ast.Compare):
        left, right = _term(node.left, names), _term(node.comparators[0], names)
        return _ORDER[type(node.ops[0])](left, right)
    if isinstance(node, ast.IfExp):
        then, other = _term(node.body, names), _term(node.orelse, names)
        sort = next((s.sort() for s in (then, other) if isinstance(s, z3.ExprRef)), None)
        if sort is None:
            sort = z3.BitVecSort(32)
        then, other = (
            each if isinstance(each, z3.ExprRef) else z3.BitVecVal(each, sort.size())
            for each in (then, other)
        )
        return z3.If(_term(node.test, names), then, other)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        known = names.get(node.func.id, string_length)
        return known(_term(node.args[0], names))
    raise ValueError(ast.dump(node))
