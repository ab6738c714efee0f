"""An edit of the source, and the ways to shape one so that it says what is meant."""

from dataclasses import dataclass

from tree_sitter import Node

from equimut.languages import ATOM_LEVEL, UNARY_LEVEL
from equimut.semantics.program import Binary, Program


@dataclass(frozen=True)
class Edit:
    """Bytes `start` to `end` of the source become `text`."""

    start: int
    end: int
    text: str


def replace(program: Program, node: Node, text: str, level: int = ATOM_LEVEL) -> Edit:
    """Replace a node by an expression, in parentheses if it binds less than needed."""
    wrapped = f"({text})" if level < program.required_level(node) else text
    return Edit(node.start_byte, node.end_byte, wrapped)


def replace_by(program: Program, node: Node, kept: Node) -> Edit:
    """Replace an expression by one part of it."""
    return replace(program, node, program.text(kept), program.level(kept))


def with_operator(program: Program, binary: Binary, sign: str) -> Edit:
    """Another operator on the same operands: the tree keeps its shape, whatever binds tighter."""
    level = program.dialect.precedence[sign]
    fits = level == program.dialect.precedence.get(binary.spelling) or (
        program.level(binary.left) >= level
        and program.level(binary.right) > level
        and level >= program.required_level(binary.node)
    )
    if binary.chained or fits:
        return Edit(binary.operator.start_byte, binary.operator.end_byte, sign)
    before = _grouped(program, binary.left, level)
    after = _grouped(program, binary.right, level + 1)
    gaps = (
        program.source[binary.left.end_byte : binary.operator.start_byte].decode(),
        program.source[binary.operator.end_byte : binary.right.start_byte].decode(),
    )
    text = f"{before}{gaps[0]}{sign}{gaps[1]}{after}"
    return replace(program, binary.node, text, level)


def _grouped(program: Program, node: Node, level: int) -> str:
    text = program.text(node)
    return f"({text})" if program.level(node) < level else text


def prefixed(program: Program, node: Node, sign: str) -> Edit:
    """A unary operator in front of an expression."""
    return replace(program, node, f"{sign}{_grouped(program, node, UNARY_LEVEL)}", UNARY_LEVEL)


def negated(program: Program, node: Node) -> Edit:
    """The logical opposite of an expression."""
    dialect = program.dialect
    text = program.text(node)
    # `!a == b` negates `a` alone: anything that is not a single name or call gets parentheses.
    grouped = text if program.level(node) == ATOM_LEVEL else f"({text})"
    return replace(program, node, f"{dialect.negation}{grouped}", dialect.negation_level)


_TOUCHING = frozenset(
    {"++", "--", "&&", "||", "<<", ">>", "//", "/*", "**", "->", "==", "+=", "-="}
)


def spaced(before: str, text: str, after: str) -> str:
    """The text with a space where it would otherwise melt with a neighbour into one token."""
    if text and before and _melts(before[-1], text[0]):
        text = f" {text}"
    if text and after and _melts(text[-1], after[0]):
        text = f"{text} "
    return text


def _melts(left: str, right: str) -> bool:
    is_word = (left.isalnum() or left == "_") and (right.isalnum() or right == "_")
    return is_word or left + right in _TOUCHING
