"""Contracts of library functions, from their notation to terms; what is known of literals."""

import ast
import re
from collections.abc import Callable, Mapping
from functools import cache

import z3

from equimut.languages.lowered import CLASS_LITERAL, Call, Expr
from equimut.proofs.smt.symbolic.engine import Engine
from equimut.proofs.smt.symbolic.state import Path
from equimut.proofs.smt.symbolic.terms import Term, apply, ref


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


MOST_CHARACTERS = 64
_ESCAPES = {"n": "\n", "t": "\t", "b": "\b", "r": "\r", "f": "\f", "s": " ",
            "'": "'", '"': '"', "\\": "\\"}  # fmt: skip
_ESCAPED = re.compile(r"\\(?:u+([0-9a-fA-F]{4})|([0-3]?[0-7]{1,2})|(.))")


def tell_of_literal(
    engine: Engine, node: Call, receiver: Term, given: list[Term], result: Term, path: Path
) -> None:
    """A method of strings was called: what the characters of a literal say of the result."""
    if node.owner != "String" or len(given) != 1:
        return
    if node.name in _COMPARED and given[0].sort() == ref():
        sides = [(receiver, given[0])]
        sides += [(given[0], receiver)] if node.name.startswith("equals") else []
        for string, literal in sides:
            claim = _alike(node.name, string, _text_of(engine, literal))
            if claim is not None:
                engine.know(path, z3.Implies(result, claim), _CHARACTERS)
        if node.name == "equals" and engine.names_classes:
            _tell_of_names(engine, node, (receiver, given[0]), result, path)
    elif given[0].sort() == z3.BitVecSort(32):
        if node.name == "charAt":
            engine.know(path, result == _character_of(receiver, given[0]), "strings never change")
        text = _text_of(engine, receiver) if node.name in _PLACES else None
        if text is not None:
            words = "the characters of a literal are known"
            engine.know(path, _claim(node.name, text, given[0], result), words)


def _tell_of_names(
    engine: Engine, node: Call, sides: tuple[Term, Term], result: Term, path: Path
) -> None:
    """What equals the name of a class, or a literal, ends with the same simple name."""
    for side, spelt, other in zip(
        sides, (node.receiver, node.arguments[0]), sides[::-1], strict=True
    ):
        for what, word in _end_of(spelt, _text_of(engine, side)).items():
            same = apply(what, ref(), [other]) == engine.literal(f"name {word}")
            engine.know(path, z3.Implies(result, same), "classes of different names are two")


def _end_of(spelt: Expr | None, text: str | None) -> dict[str, str]:
    """What is known of the end of a text: the name behind its last sign, and that sign."""
    if isinstance(spelt, Call) and spelt.owner == CLASS_LITERAL:
        *words, name = spelt.key.removesuffix(".class").split(" ")
        found = {"simple name": name.rpartition(".")[2]}
        sign = {"getName": "$", "getTypeName": "$", "getCanonicalName": "."}.get(spelt.name)
        return found | ({"sign": sign} if sign and "inside" in words else {})
    if text is None:
        return {}
    *_, sign, name = ["", *re.split(r"([.$])", text)]
    return {"simple name": name.lstrip("0123456789"), "sign": sign}


_CHARACTERS = "what equals a literal, or begins or ends with it, has its characters there"
_PLACES = ("indexOf", "lastIndexOf", "charAt")
_COMPARED = ("equals", "equalsIgnoreCase", "startsWith", "endsWith")


def _text_of(engine: Engine, term: Term) -> str | None:
    """The characters of a literal; None of everything else."""
    spelt = next((text for text, each in engine.literals.items() if each.eq(term)), "")
    return characters(spelt.removeprefix("String ")) if spelt.startswith('String "') else None


def _character_of(string: Term, place: Term) -> Term:
    return apply("character of string", z3.BitVecSort(16), [string, place])


def _alike(name: str, string: Term, text: str | None) -> Term | None:
    """What is true of a string that was found equal to a text, or to begin or end with it."""
    if not text or (name == "equalsIgnoreCase" and not text.isascii()):
        return None
    first = z3.BitVecVal(0, 32)
    if name == "endsWith":
        first = string_length(string) - len(text)
    found = []
    for place, each in enumerate(text):
        mine = _character_of(string, z3.simplify(first + place))
        if name == "equalsIgnoreCase":  # both in upper case and then in lower case are the same
            mine, each = apply("in one case", mine.sort(), [mine]), each.lower()
        found.append(mine == ord(each))
    return z3.And(*found)


def characters(spelt: str) -> str | None:
    """The characters of a literal as it is spelt, if there are few and each is one of its own."""
    if spelt.startswith('"""'):
        return None
    try:
        text = _ESCAPED.sub(_character, spelt[1:-1])
    except KeyError:
        return None
    plain = all(ord(each) < 0xD800 or 0xDFFF < ord(each) <= 0xFFFF for each in text)
    return text if plain and len(text) <= MOST_CHARACTERS else None


def _character(found: re.Match[str]) -> str:
    code, octal, letter = found.groups()
    if code is not None:
        return chr(int(code, 16))
    return chr(int(octal, 8)) if octal is not None else _ESCAPES[letter]


def _claim(name: str, text: str, given: Term, result: Term) -> Term:
    """What a method of this string returns for a character or a place."""
    if name == "charAt":
        return z3.And(*(
            z3.Implies(given == place, result == ord(each)) for place, each in enumerate(text)
        ))  # fmt: skip
    places = {each: place for place, each in enumerate(text)}
    if name == "indexOf":
        places = {each: text.index(each) for each in text}
    found: Term = z3.BitVecVal(-1, 32)
    for each, place in places.items():
        found = z3.If(given == ord(each), z3.BitVecVal(place, 32), found)
    return result == found
