"""The type of an expression, from declarations and literals alone; unknown is an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tree_sitter import Node

from equimut.parsing.tree import walk

if TYPE_CHECKING:
    from equimut.semantics.program import Binary, Program

MAX_DEPTH = 100
"""Nested expressions that inference looks into."""

NumericNames = frozenset[tuple[int, str]]
"""Names by the function they are used in."""

_NUMERIC = ("int", "small", "float")
_TESTS = ("is", "is not", "in", "not in")


class Types:
    """The types of the expressions of one program, by name; an empty string is "not known".

    Given `numeric_names`, it also guesses: those names are whole numbers, a call is the well-known
    function of its name, and what meets a fraction is a number too. Without, it answers only what
    the compiler would.
    """

    def __init__(self, program: Program, numeric_names: NumericNames | None = None) -> None:
        self._program = program
        self._rules = program.dialect.expressions
        self._guesses = numeric_names
        self._known: dict[int, str] = {}
        self._depth = 0

    def of(self, node: Node) -> str:
        """The type's name, boxes kept; `null` for the null value."""
        if node.id not in self._known:
            if self._depth >= MAX_DEPTH:
                return ""  # a sum of a thousand terms is no reason to fail
            self._depth += 1
            self._known[node.id] = self._infer(node)
            self._depth -= 1
        return self._known[node.id]

    def of_arithmetic(self, *operands: Node) -> str:
        """The type in which numbers are added or compared; one of the widest type decides it."""
        types = [self._unboxed(operand) for operand in operands]
        numbers = [found for found in types if self._kind(found) in _NUMERIC]
        widest = self._promoted(*numbers) if numbers else ""
        sure = len(numbers) == len(types) or widest == self._rules.promotion[-1]
        return widest if sure else ""

    def _infer(self, node: Node) -> str:
        role = self._program.role(node)
        literal = self._rules.literals.get(role or node.type)
        if literal is not None:
            # Guesses take every fraction for one type: the benchmark's mutants were made like that.
            exact = self._guesses is None or self._kind(literal) != "float"
            return self._suffixed(literal, self._program.text(node).lower()) if exact else literal
        by_role = getattr(self, f"_{role}", None)
        found: str = by_role(node) if by_role is not None else ""
        return found

    def _suffixed(self, literal: str, text: str) -> str:
        if literal != "int":
            return self._rules.suffixes.get((literal, text[-1]), literal)
        digits = text.rstrip("ul")
        letters = "".join(sorted({*text[len(digits) :]}))
        if self._rules.promoted and len(digits) > 9:
            return ""  # too large for an int, perhaps
        return self._rules.suffixes.get((literal, letters), literal)

    def _unboxed(self, node: Node) -> str:
        found = self.of(node)
        return self._rules.boxes.get(found, found)

    def _kind(self, name: str) -> str:
        return self._program.declarations.kind_of_type(name)

    def _promoted(self, *types: str) -> str:
        """What arithmetic makes of numbers of these types: the widest, at least an `int`."""
        order = self._rules.promotion
        wider = {"float": order[-1]}
        plain = [t if t in order else wider.get(self._kind(t), order[0]) for t in types]
        if self._rules.promoted and self._guesses is None:
            known = [self._program.declarations.unaliased(t) for t in types]
            plain = [self._rules.promoted.get(t, "") for t in known]
        return "" if "" in plain else max(plain, key=order.index)

    def _group(self, node: Node) -> str:
        inside = self._program.inner(node)
        return self.of(inside) if inside.id != node.id else ""

    def _name(self, node: Node) -> str:
        declarations = self._program.declarations
        sure = self._guesses is None and not self._program.dialect.assignment_declares
        variable = declarations.resolve(node) if sure else declarations.lookup(node)
        if variable is not None and variable.type:
            unknown = self._guesses is None and variable.type == self._rules.inferred
            return "" if unknown else variable.type
        if not self._guesses:
            return ""
        key = (_function_id(self._program, node), self._program.text(node))
        return "int" if key in self._guesses else ""

    def _element(self, node: Node) -> str:
        for field in ("array", "argument", "value"):
            base = node.child_by_field_name(field)
            if base is not None:
                whole = self.of(base)
                for suffix in ("[]", "*"):
                    if whole.endswith(suffix):
                        return whole.removesuffix(suffix)
        return ""

    def _field(self, node: Node) -> str:
        name = node.child_by_field_name("field") or node.child_by_field_name("attribute")
        base = node.child_by_field_name("object") or node.child_by_field_name("argument")
        if name is None:
            return ""
        spelled, owner = self._program.text(name), self._program.text(base) if base else ""
        if self._rules.receiver in ("", owner):
            declared = self._program.declarations.fields.get(spelled)
            if declared is not None:
                return declared.type
        for known in (f"{owner}.{spelled}", f".{spelled}", f"{owner}.*"):
            if known in self._rules.returns:
                return self._rules.returns[known]
        # Guesses leave the narrow boxes out: the benchmark's mutants were made like that.
        return self._rules.boxes.get(owner, "") if self._guesses is None else ""

    def _binary(self, node: Node) -> str:
        found = self._program.binaries(node)
        if not found:
            return ""
        sign, dialect = found[0].spelling, self._program.dialect
        if sign in dialect.relational or sign in _TESTS:
            return self._rules.literals["boolean"]
        if sign in dialect.logical:
            return "" if self._rules.logical_operands else self._rules.literals["boolean"]
        return self._arithmetic(found[0])

    def _arithmetic(self, binary: Binary) -> str:
        sign, dialect = binary.spelling, self._program.dialect
        left, right = self._unboxed(binary.left), self._unboxed(binary.right)
        kinds = self._kind(left), self._kind(right)
        if "string" in kinds and sign in ("+", "%", "*"):
            return left if kinds[0] == "string" else right
        if self._rules.array_arithmetic and ("pointer" in kinds or "array" in kinds):
            both = kinds[0] == kinds[1]
            return "int" if both and sign == "-" else (left if kinds[0] != "int" else right)
        if sign in dialect.shifts:
            return self._promoted(left) if kinds[0] in _NUMERIC else left
        if kinds == ("bool", "bool") and sign in dialect.bitwise:
            return left
        if sign == "/" and dialect.numbers.true_division:
            return "float"
        if all(kind in _NUMERIC for kind in kinds):
            return self._promoted(left, right)
        if "float" in kinds and self._guesses is not None:
            return left if kinds[0] == "float" else right
        return ""

    def _unary(self, node: Node) -> str:
        operand = self._program.operand(node)
        if operand is None:
            return ""
        if self._program.operator(node) in ("!", "not"):
            return self._rules.literals["boolean"]
        found = self._unboxed(operand)
        return self._promoted(found) if self._kind(found) in _NUMERIC else found

    def _pointer(self, node: Node) -> str:
        operand = self._program.operand(node)
        if operand is None:
            return ""
        found = self.of(operand)
        if self._program.operator(node) == "&":
            return f"{found}*" if found else "void*"
        return found[:-1] if found.endswith("*") else ""

    def _assign(self, node: Node) -> str:
        left = node.child_by_field_name("left") or self._program.operand(node)
        return self.of(left) if left is not None else ""

    _update = _assign

    def _cast(self, node: Node) -> str:
        kind = node.child_by_field_name("type")
        if kind is None:
            return ""
        words = self._program.text(kind).split()
        if kind.type != "type_descriptor":
            return "".join(words).split("<")[0]
        stars = "*" * self._program.text(kind).count("*")
        plain = [word.rstrip("*") for word in words if word not in ("const", "volatile", "*")]
        if "struct" in plain or self._rules.type_name is None:
            return "struct" + stars
        return self._rules.type_name(plain) + stars

    def _ternary(self, node: Node) -> str:
        sides = [node.child_by_field_name(name) for name in ("consequence", "alternative")]
        values = [s for s in sides if s is not None] if sides[0] else node.named_children[:1]
        known = {found: None for value in values if (found := self.of(value)) != "null"}
        if len(known) < 2:
            return next(iter(known), "null")
        types = [self._rules.boxes.get(found, found) for found in known if found]
        if all(self._kind(found) in _NUMERIC for found in types):
            widest = self._promoted(*types)
            types = types if widest == self._rules.promotion[0] else [widest]
        elif self._guesses is None and len(set(types)) > 1:
            return ""
        return "" if self._guesses is None and "" in known else types[0]

    def _call(self, node: Node) -> str:
        called = node.child_by_field_name("name") or node.child_by_field_name("function")
        if called is None:
            return ""
        member, owner = called.child_by_field_name("attribute"), node.child_by_field_name("object")
        name = self._program.text(member if member is not None else called)
        of_whom = self._program.text(owner) if owner is not None else ""
        own = self._program.declarations.functions.get(name)
        foreign = self._guesses is None and self._rules.receiver  # inherited, or imported
        if of_whom in ("", self._rules.receiver) and (own is not None or foreign):
            return own or ""
        known = self._rules.returns.get(f"{of_whom}.{name}") or self._rules.returns.get(name, "")
        if not known and self._guesses is not None:
            known = self._rules.likely_returns.get(name, "")
        return self._of_arguments(node) if known == "=" else known

    def _of_arguments(self, node: Node) -> str:
        """The type of a call that gives back one of its arguments."""
        arguments = node.child_by_field_name("arguments")
        values = arguments.named_children if arguments is not None else []
        types = [self._unboxed(value) for value in values]
        if self._guesses is None and len(types) > 1:
            numbers = all(self._kind(found) in _NUMERIC for found in types)
            return self._promoted(*types) if numbers else ""
        floats = [found for found in types if self._kind(found) == "float"]
        return next(iter(floats or types), "")

    def _collection(self, node: Node) -> str:
        return {"dictionary": "dict"}.get(node.type, node.type)

    def _new(self, node: Node) -> str:
        kind = node.child_by_field_name("type")
        return self._program.text(kind).split("<")[0] if kind is not None else ""

    def _new_array(self, node: Node) -> str:
        return self._new(node) + "[]"


def numeric_names(program: Program) -> NumericNames:
    """Names of unknown type that are used as numbers somewhere in their function."""
    found = set()
    for node in walk(program.tree.root):
        role = program.role(node)
        for used in _numeric_operands(program, node, role):
            inner = program.inner(used)
            if program.role(inner) == "name" and not program.type_of(inner):
                found.add((_function_id(program, inner), program.text(inner)))
    return frozenset(found)


def _numeric_operands(program: Program, node: Node, role: str) -> list[Node]:
    """The parts of a node that can only be numbers, or hardly anything else."""
    if role == "binary":
        binary = program.binary(node)
        if binary is None:
            return []
        sides = [binary.left, binary.right]
        if binary.spelling in ("-", "/", "//", "<<", ">>", ">>>"):
            return sides
        kinds = {program.kind(side) for side in sides}
        is_order = binary.spelling in ("<", "<=", ">", ">=", "%", "*", "+", "==", "!=")
        return sides if is_order and kinds & {"int", "float"} else []
    if role == "element":
        index = node.child_by_field_name("index")
        return [index] if index is not None else []
    if role == "update" and not program.dialect.expressions.array_arithmetic:
        operand = program.operand(node)
        return [operand] if operand is not None else []
    if role == "call" and program.text(node).startswith("range("):
        arguments = node.child_by_field_name("arguments")
        return list(arguments.named_children) if arguments is not None else []
    return []


def _function_id(program: Program, node: Node) -> int:
    types = frozenset(program.tree.language.function_types)
    function = program.enclosing(node, types)
    return function.id if function is not None else 0
