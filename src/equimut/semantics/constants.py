"""Values known before the program runs: what javac folds to a constant."""

from tree_sitter import Node

from equimut.parsing.tree import walk
from equimut.semantics.program import Program

_LITERALS = frozenset({"integer", "float", "string", "char", "boolean"})
_FOLDED = frozenset({"group", "unary", "binary", "ternary", "cast"})
_DECLARATIONS = frozenset(
    {"field_declaration", "local_variable_declaration", "constant_declaration"}
)
_DEPTH = 60


class Constants:
    """What javac folds away in one Java file, as far as the file tells; None: it does not."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._finals = self._final_declarators()
        boxes = program.dialect.expressions.boxes
        self._plain = frozenset({*boxes.values(), program.dialect.expressions.literals["string"]})
        self._owners = frozenset({*boxes, "Math"})

    def is_constant(self, node: Node, depth: int = 0) -> bool | None:
        """Whether an expression is folded to a constant."""
        if depth > _DEPTH:
            return None
        role = self._program.role(node)
        if role in _LITERALS or node.type == "hex_floating_point_literal":
            return True
        if role == "name":
            return self._constant_name(node, depth)
        if role == "field":
            return self._constant_field(node, depth)
        target = node.child_by_field_name("type")
        if role not in _FOLDED or (target and self._program.text(target) not in self._plain):
            return False
        parts = [c for c in node.named_children if "comment" not in c.type and c != target]
        answers = [self.is_constant(part, depth + 1) for part in parts]
        if False in answers:
            return False
        return None if None in answers else True

    def truth(self, node: Node, depth: int = 0) -> bool | None:
        """The value of a condition that is constant."""
        node = self._program.inner(node)
        if node.type in ("true", "false"):
            return node.type == "true"
        if self._program.role(node) == "unary" and self._program.operator(node) == "!":
            operand = self._program.operand(node)
            value = self.truth(operand, depth + 1) if operand is not None else None
            return None if value is None else not value
        is_name = self._program.role(node) == "name"
        if is_name and depth < _DEPTH and self.is_constant(node) is True:
            values = self._finals.get(self._program.text(node), [])
            return self.truth(values[0], depth + 1) if len(values) == 1 else None
        return None

    def _constant_name(self, node: Node, depth: int) -> bool | None:
        text = self._program.text(node)
        variable = self._program.declarations.lookup(node)
        values = self._finals.get(text, [])
        if variable is None and not values:
            # Inherited or imported: only a name in capitals may be a constant.
            return None if text.isupper() else False
        if variable is not None and (variable.type not in self._plain or not values):
            return False
        answers = {self.is_constant(value, depth + 1) for value in values}
        if (variable is None or variable.constant) and len(answers) == 1:
            return answers.pop()
        return None if variable is None or variable.constant or True in answers else False

    def _constant_field(self, node: Node, depth: int) -> bool | None:
        name, owner = node.child_by_field_name("field"), node.child_by_field_name("object")
        if name is None or owner is None:
            return False
        spelled = self._program.text(name)
        if owner.type == "this" or not spelled.isupper():
            return False  # `this.X` is never a constant expression, whatever X is
        if self._program.text(owner) in self._owners:
            return True
        values = self._finals.get(spelled, [])
        answers = {self.is_constant(value, depth + 1) for value in values}
        return answers.pop() if len(answers) == 1 and owner.type == "identifier" else None

    def _final_declarators(self) -> dict[str, list[Node]]:
        """Initial values of final variables by name; fields of interfaces are final unsaid."""
        found: dict[str, list[Node]] = {}
        for node in walk(self._program.tree.root):
            if node.type not in _DECLARATIONS:
                continue
            named = node.type == "constant_declaration" or "final" in self._program.modifiers(node)
            for declarator in node.children_by_field_name("declarator") if named else []:
                name = declarator.child_by_field_name("name")
                value = declarator.child_by_field_name("value")
                if name is not None and value is not None:
                    found.setdefault(self._program.text(name), []).append(value)
        return found
