"""Types and constants of Java expressions, as far as one file tells: what javac folds away."""

from tree_sitter import Node

from equimut.parsing.tree import walk
from equimut.semantics.program import Program

_UNBOXED = {
    "Integer": "int",
    "Long": "long",
    "Float": "float",
    "Double": "double",
    "Short": "short",
    "Byte": "byte",
    "Character": "char",
    "Boolean": "boolean",
}
PRIMITIVES = frozenset(_UNBOXED.values())
_RANK = {"byte": 0, "short": 0, "char": 0, "int": 0, "long": 1, "float": 2, "double": 3}
_PROMOTED = ("int", "long", "float", "double")
_CALLS = {
    **dict.fromkeys(("length", "size", "indexOf", "lastIndexOf", "hashCode", "compareTo"), "int"),
    **dict.fromkeys(("ordinal", "intValue", "parseInt", "compare", "getAsInt"), "int"),
    **dict.fromkeys(("equals", "isEmpty", "contains", "hasNext", "startsWith"), "boolean"),
    **dict.fromkeys(("substring", "trim", "toString", "toUpperCase", "toLowerCase"), "String"),
    **dict.fromkeys(("longValue", "nanoTime", "currentTimeMillis", "parseLong"), "long"),
    **dict.fromkeys(("sqrt", "pow", "floor", "ceil", "doubleValue", "parseDouble"), "double"),
    "charAt": "char",
    "toCharArray": "char[]",
    "getBytes": "byte[]",
    "split": "String[]",
}
_CONSTANT_OWNERS = frozenset({*_UNBOXED, "Math"})
_COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!=", "&&", "||"})
_DEPTH = 60


class JavaTypes:
    """Answers about the expressions of one parsed file; an empty string is "not known"."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._types: dict[int, str] = {}
        self._finals = self._final_declarators()

    def of(self, node: Node, depth: int = 0) -> str:
        """The type of an expression; boxed types come out as their primitive."""
        known = self._types.get(node.id)
        if known is None:
            found = self._infer(node, depth + 1) if depth < _DEPTH else ""
            known = self._types[node.id] = _UNBOXED.get(found, found)
        return known

    def declared(self, node: Node) -> str:
        """The type a name was declared with, boxes kept."""
        variable = self._program.declarations.lookup(node)
        return variable.type if variable is not None and variable.type != "var" else ""

    def constant(self, node: Node, depth: int = 0) -> bool | None:
        """Whether javac folds the expression to a constant; None if the file does not tell."""
        if depth > _DEPTH:
            return None
        kind = node.type
        if kind.endswith("_literal") or kind in ("true", "false"):
            return kind not in ("null_literal", "class_literal")
        if kind == "identifier":
            return self._constant_name(node, depth)
        if kind == "field_access":
            return self._constant_field(node, depth)
        if kind == "cast_expression":
            target = node.child_by_field_name("type")
            text = self._program.text(target) if target is not None else ""
            if text not in PRIMITIVES and text != "String":
                return False
        elif kind not in (
            "parenthesized_expression",
            "unary_expression",
            "binary_expression",
            "ternary_expression",
        ):
            return False
        answers = [
            self.constant(child, depth + 1)
            for child in node.named_children
            if "comment" not in child.type and node.child_by_field_name("type") != child
        ]
        if False in answers:
            return False
        return None if None in answers else True

    def truth(self, node: Node, depth: int = 0) -> bool | None:
        """The value of a condition that is constant, where the file tells it."""
        node = self._program.inner(node)
        if node.type in ("true", "false"):
            return node.type == "true"
        if node.type == "unary_expression" and self._program.operator(node) == "!":
            operand = self._program.operand(node)
            value = self.truth(operand, depth + 1) if operand is not None else None
            return None if value is None else not value
        if node.type == "identifier" and depth < _DEPTH and self.constant(node) is True:
            values = self._finals.get(self._program.text(node), [])
            return self.truth(values[0], depth + 1) if len(values) == 1 else None
        return None

    def number(self, *operands: Node) -> str:
        """PIT's word for the arithmetic on these operands: `integer`, `long`, ... or empty."""
        types = [self.of(operand) for operand in operands]
        if any(kind not in _RANK for kind in types):
            known = [_RANK[kind] for kind in types if kind in _RANK]
            return "double" if known and max(known) == 3 else ""
        promoted = _PROMOTED[max(_RANK[kind] for kind in types)]
        return "integer" if promoted == "int" else promoted

    def exact(self, node: Node) -> int | None:
        """The value of an integer literal, with or without a sign."""
        node = self._program.inner(node)
        if node.type == "unary_expression" and self._program.operator(node) in ("-", "+"):
            operand = self._program.operand(node)
            value = self.exact(operand) if operand is not None else None
            negative = self._program.operator(node) == "-"
            return -value if negative and value is not None else value
        if node.type == "decimal_integer_literal":
            text = self._program.text(node).replace("_", "")
            return int(text) if text.isdecimal() and len(text) < 12 else None
        return None

    def _infer(self, node: Node, depth: int) -> str:
        kind, text = node.type, self._program.text
        if kind.endswith("integer_literal"):
            return "long" if text(node)[-1] in "lL" else "int"
        if kind.endswith("floating_point_literal"):
            return "float" if text(node)[-1] in "fF" else "double"
        plain = {
            "string_literal": "String",
            "character_literal": "char",
            "true": "boolean",
            "false": "boolean",
            "instanceof_expression": "boolean",
        }
        if kind in plain:
            return plain[kind]
        if kind == "identifier":
            return self.declared(node)
        if kind in ("parenthesized_expression", "update_expression"):
            inside = self._program.operand(node)
            return self.of(inside, depth) if inside is not None else ""
        if kind == "binary_expression":
            return self._binary(node, depth)
        if kind in ("assignment_expression", "array_access", "ternary_expression"):
            return self._part(node, depth)
        if kind == "cast_expression":
            target = node.child_by_field_name("type")
            return text(target).split("<")[0] if target is not None else ""
        if kind == "unary_expression":
            return self._unary(node, depth)
        if kind == "field_access":
            return self._field(node)
        if kind == "method_invocation":
            return self._call(node, depth)
        if kind == "object_creation_expression":
            created = node.child_by_field_name("type")
            return text(created).split("<")[0] if created is not None else ""
        return ""

    def _binary(self, node: Node, depth: int) -> str:
        found = self._program.binaries(node)
        if not found:
            return ""
        left, right = self.of(found[0].left, depth), self.of(found[0].right, depth)
        if found[0].spelling in _COMPARISONS:
            return "boolean"
        if found[0].spelling == "+" and "String" in (left, right):
            return "String"
        if found[0].spelling in ("<<", ">>", ">>>"):
            return _PROMOTED[_RANK[left]] if left in _RANK else ""
        if left == right == "boolean":
            return "boolean"
        if left in _RANK and right in _RANK:
            return _PROMOTED[max(_RANK[left], _RANK[right])]
        return ""

    def _part(self, node: Node, depth: int) -> str:
        if node.type == "assignment_expression":
            left = node.child_by_field_name("left")
            return self.of(left, depth) if left is not None else ""
        if node.type == "array_access":
            array = node.child_by_field_name("array")
            whole = self.of(array, depth) if array is not None else ""
            return whole.removesuffix("[]") if whole.endswith("[]") else ""
        sides = [node.child_by_field_name(name) for name in ("consequence", "alternative")]
        types = {self.of(side, depth) for side in sides if side is not None}
        return types.pop() if len(types) == 1 else ""

    def _unary(self, node: Node, depth: int) -> str:
        operand = self._program.operand(node)
        if operand is None or self._program.operator(node) == "!":
            return "boolean"
        found = self.of(operand, depth)
        return _PROMOTED[_RANK[found]] if found in _RANK else ""

    def _field(self, node: Node) -> str:
        name, owner = node.child_by_field_name("field"), node.child_by_field_name("object")
        if name is None or owner is None:
            return ""
        spelled, base = self._program.text(name), self._program.text(owner)
        if spelled == "length":
            return "int"
        if base in _UNBOXED and spelled.isupper():
            return _UNBOXED[base]
        found = self._program.declarations.fields.get(spelled) if base == "this" else None
        return found.type if found is not None else ""

    def _call(self, node: Node, depth: int) -> str:
        name, owner = node.child_by_field_name("name"), node.child_by_field_name("object")
        if name is None:
            return ""
        spelled = self._program.text(name)
        if owner is None or owner.type == "this":
            return self._program.declarations.functions.get(spelled, "")
        if self._program.text(owner) == "Math" and spelled in ("max", "min", "abs"):
            arguments = node.child_by_field_name("arguments")
            values = arguments.named_children if arguments is not None else []
            types = [self.of(value, depth) for value in values]
            if types and all(kind in _RANK for kind in types):
                return _PROMOTED[max(_RANK[kind] for kind in types)]
            return ""
        return _CALLS.get(spelled, "")

    def _constant_name(self, node: Node, depth: int) -> bool | None:
        text = self._program.text(node)
        variable = self._program.declarations.lookup(node)
        values = self._finals.get(text, [])
        if variable is None and not values:
            # Inherited or imported: only a name in capitals may be a constant.
            return None if text.isupper() else False
        if variable is None:
            answers = {self.constant(value, depth + 1) for value in values}
            return answers.pop() if len(answers) == 1 else None
        plain = variable.type in PRIMITIVES or variable.type == "String"
        if not plain or not values:
            return False
        answers = {self.constant(value, depth + 1) for value in values}
        if variable.constant and len(answers) == 1:
            return answers.pop()
        return None if variable.constant or True in answers else False

    def _constant_field(self, node: Node, depth: int) -> bool | None:
        name, owner = node.child_by_field_name("field"), node.child_by_field_name("object")
        if name is None or owner is None:
            return False
        spelled = self._program.text(name)
        if owner.type == "this" or not spelled.isupper():
            return False  # `this.X` is never a constant expression, whatever X is
        if self._program.text(owner) in _CONSTANT_OWNERS:
            return True
        values = self._finals.get(spelled, [])
        answers = {self.constant(value, depth + 1) for value in values}
        return answers.pop() if len(answers) == 1 and owner.type == "identifier" else None

    def _final_declarators(self) -> dict[str, list[Node]]:
        """Initial values of final variables by name; fields of interfaces are final unsaid."""
        found: dict[str, list[Node]] = {}
        for node in walk(self._program.tree.root):
            if node.type not in (
                "field_declaration",
                "local_variable_declaration",
                "constant_declaration",
            ):
                continue
            words = [
                word
                for child in node.children
                if child.type == "modifiers"
                for word in self._program.text(child).split()
            ]
            if "final" not in words and node.type != "constant_declaration":
                continue
            for declarator in node.children_by_field_name("declarator"):
                name = declarator.child_by_field_name("name")
                value = declarator.child_by_field_name("value")
                if name is not None and value is not None:
                    found.setdefault(self._program.text(name), []).append(value)
        return found
