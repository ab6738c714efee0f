"""A point and what PIT does there -> the bytes of the source that change, and to what."""

from typing import NamedTuple

from tree_sitter import Node

from equimut.reports.pit.layout_expressions import binds
from equimut.reports.pit.mutation import PitMutation, Wanted
from equimut.reports.pit.points import Point
from equimut.reports.pit.returns import kept, returned
from equimut.semantics.program import Program
from equimut.semantics.values import has_effects, is_harmless

_BOUNDARY = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
_ATOMS = frozenset(
    {"identifier", "method_invocation", "field_access", "array_access", "parenthesized_expression"}
)
_GLUED = frozenset({"--", "++", "//", "/*"})


class Edit(NamedTuple):
    """Bytes to replace, and the text to put there."""

    start: int
    end: int
    text: str


class NoText(Exception):
    """Why a mutation of the bytecode cannot be written as Java, in one line."""


class Writer:
    """Writes mutations of one parsed file as edits of its text."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._types = program.types

    def edit(self, point: Point, wanted: Wanted, mutation: PitMutation) -> Edit:
        """The edit; NoText where the mutation has no counterpart in the source."""
        if not point.written:
            raise NoText("the compiler adds this code: it is not in the source")
        node = point.node
        match wanted.kind:
            case "boundary":
                return self._operator(node, _BOUNDARY[point_operator(self._program, node)])
            case "negate":
                return self._negate(node)
            case "remove":
                jump = point.jumps_if
                return self._remove(node, jump if wanted.jumps else not jump)
            case "math":
                return self._math(node, wanted.replacement)
            case "increment":
                return self._increment(node)
            case "remove_increment":
                return self._no_increment(node)
            case "negation":
                operand = self._program.operand(node)
                return self._whole(node, self._program.text(operand) if operand else "")
            case "call":
                return self._call(node, wanted)
            case "naked_receiver":
                return self._receiver(node)
            case "construct":
                return self._dropped(node, "null")
        text = returned(self._program, node, wanted, mutation)
        if text is None:
            raise NoText(f"how to return {wanted.value[:40]!r} here is not known")
        return self._whole(node, text)

    def _whole(self, node: Node, text: str) -> Edit:
        return Edit(node.start_byte, node.end_byte, text)

    def _operator(self, node: Node, text: str) -> Edit:
        """Replace the operator; a space keeps it from growing together with what follows."""
        sign = node.child_by_field_name("operator")
        if sign is None:
            sign = next((c for c in node.children if c.type in ("++", "--")), node)
        following = self._program.source[sign.end_byte : sign.end_byte + 1].decode(errors="ignore")
        glue = " " if text[-1] + following in _GLUED and node.type == "binary_expression" else ""
        return Edit(sign.start_byte, sign.end_byte, text + glue)

    def _negate(self, node: Node) -> Edit:
        operator = point_operator(self._program, node)
        text = self._program.text(node)
        if operator in ("==", "!="):
            return self._operator(node, _NEGATED[operator])
        if operator in _NEGATED:
            sides = [node.child_by_field_name(name) for name in ("left", "right")]
            number = self._types.of_arithmetic(*(side for side in sides if side is not None))
            if number in ("int", "long"):
                return self._operator(node, _NEGATED[operator])
            # With NaN, not below is not the same as at least: the mutant is the former.
            return self._whole(node, f"!({text})")
        self._no_pattern(node)
        parent = self._program.parent(node)
        if parent is not None and parent.type == "unary_expression":
            return self._whole(parent, text)
        return self._whole(node, f"!{text}" if node.type in _ATOMS else f"!({text})")

    def _no_pattern(self, node: Node) -> None:
        if binds(node):
            raise NoText("the pattern's variable would not be bound: Java cannot say this")

    def _remove(self, node: Node, value: bool) -> Edit:
        self._no_pattern(node)
        plain = "true" if value else "false"
        if is_harmless(self._program, node, typed=False) and not self._decides_loop(node):
            return self._whole(node, plain)
        # The operands are still computed, and a loop without end makes Java refuse what follows.
        text = self._program.text(node)
        if node.type == "assignment_expression":
            text = f"({text})"
        text = f"{text} || true" if value else f"{text} && false"
        parent = self._program.parent(node)
        bare = parent is not None and parent.type == "parenthesized_expression"
        return self._whole(node, text if bare else f"({text})")

    def _decides_loop(self, node: Node) -> bool:
        current = node
        for around in self._program.ancestors(node):
            if around.type in self._program.tree.language.loops:
                return self._program.field(current) == "condition"
            if around.type not in (
                "parenthesized_expression",
                "binary_expression",
                "unary_expression",
            ):
                return False
            current = around
        return False

    def _math(self, node: Node, replacement: str) -> Edit:
        if node.type == "unary_expression":  # ~x is x ^ -1
            operand = self._program.operand(node)
            inner = self._program.text(operand) if operand is not None else ""
            return self._whole(node, f"({inner} {replacement} -1)")
        if node.type == "update_expression":
            return self._operator(node, replacement * 2)
        if node.type == "assignment_expression":
            return self._operator(node, f"{replacement}=")
        found = self._program.binary(node)
        if found is None or replacement not in ("&", "|"):
            return self._operator(node, replacement)
        level = self._program.dialect.precedence[replacement]
        left, right = (self._program.text(side) for side in (found.left, found.right))
        wrap_left = self._program.level(found.left) < level
        wrap_right = self._program.level(found.right) <= level
        parent = self._program.parent(node)
        wrap = parent is not None and parent.type == "binary_expression"
        if not (wrap_left or wrap_right or wrap):
            return self._operator(node, replacement)
        left = f"({left})" if wrap_left else left
        right = f"({right})" if wrap_right else right
        text = f"{left} {replacement} {right}"
        return self._whole(node, f"({text})" if wrap else text)

    def _increment(self, node: Node) -> Edit:
        operator = self._program.operator(node)
        swapped = {"++": "--", "--": "++", "+=": "-=", "-=": "+="}
        if node.type == "update_expression":
            operator = next((c.type for c in node.children if c.type in swapped), operator)
        if operator not in swapped:
            raise NoText(f"{operator!r} is no increment")
        return self._operator(node, swapped[operator])

    def _no_increment(self, node: Node) -> Edit:
        parent = self._program.parent(node)
        operand = node.child_by_field_name("left") or self._program.operand(node)
        if parent is not None and parent.type == "expression_statement":
            return self._whole(parent, ";")
        name = self._program.text(operand) if operand is not None else ""
        in_update = parent is not None and parent.type == "for_statement"
        return self._whole(node, f"{name} += 0" if in_update else name)

    def _call(self, node: Node, wanted: Wanted) -> Edit:
        parent = self._program.parent(node)
        if wanted.void or (parent is not None and parent.type == "expression_statement"):
            return self._removed_call(node, parent)
        kind = self._types.of(node)
        if not kind:
            raise NoText(f"the type of what {wanted.name} returns is not in this file")
        primitive = kind in self._program.dialect.expressions.boxes.values()
        plain = {"boolean": "false"}.get(kind, "0") if primitive else "null"
        return self._dropped(node, plain)

    def _removed_call(self, node: Node, parent: Node | None) -> Edit:
        """Remove a call whose result nobody uses; what its arguments do still happens."""
        effects = kept(self._program, self._operands(node))
        if parent is not None and parent.type == "expression_statement":
            around = self._program.parent(parent)
            in_rule = around is not None and around.type == "switch_rule"
            if not effects:
                return self._whole(parent, "{ }" if in_rule else ";")
            one = len(effects) == 1 and " = " not in effects[0]
            return self._whole(parent, effects[0] if one else f"{{ {' '.join(effects)} }}")
        if parent is not None and parent.type == "lambda_expression":
            return self._whole(node, f"{{ {' '.join(effects)} }}" if effects else "{ }")
        if parent is not None and parent.type == "for_statement" and not effects:
            same = parent.children_by_field_name(self._program.field(node))
            if len(same) == 1:
                return self._whole(node, "")
        raise NoText("the call is part of an expression")

    def _receiver(self, node: Node) -> Edit:
        owner = node.child_by_field_name("object")
        if owner is None:
            raise NoText("the call has no receiver in the text")
        arguments = node.child_by_field_name("arguments")
        if arguments is not None and has_effects(self._program, arguments):
            raise NoText("what the arguments do cannot be kept in an expression")
        return self._whole(node, self._program.text(owner))

    def _dropped(self, node: Node, plain: str) -> Edit:
        if any(has_effects(self._program, operand) for operand in self._operands(node)):
            raise NoText("what the arguments do cannot be kept in an expression")
        parent = self._program.parent(node)
        if parent is not None and parent.type == "expression_statement":
            return self._whole(parent, ";")
        return self._whole(node, plain)

    def _operands(self, node: Node) -> list[Node]:
        owner = node.child_by_field_name("object")
        arguments = node.child_by_field_name("arguments")
        return [
            *([owner] if owner is not None else []),
            *(arguments.named_children if arguments is not None else []),
        ]


def point_operator(program: Program, node: Node) -> str:
    """The operator of a comparison; empty for any other condition."""
    return program.operator(node) if node.type == "binary_expression" else ""
