"""Python's expressions, lowered: what an operation does is decided by the values it gets."""

import ast
import copy
from collections.abc import Callable
from string import Formatter

from equimut.languages.lowered import (
    BOOL,
    VALUE,
    Assign,
    Choice,
    Expr,
    Lit,
    Local,
    Logic,
    Operation,
    Type,
    Unary,
    Unsupported,
)
from equimut.languages.python.api import CLASSES, KEYWORDS, LAST, MODELLED, RESULTS, TEXT
from equimut.languages.python.lowering.hints import Hints
from equimut.languages.python.lowering.names import Names
from equimut.languages.python.lowering.scopes import captured

NONE = Lit(VALUE, None)
BINARY: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Pow: "**", ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|",
    ast.BitXor: "^", ast.MatMult: "@",
}  # fmt: skip
_COMPARE: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
    ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
_UNARY: dict[type[ast.unaryop], str] = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~"}


def truth(value: Expr) -> Expr:
    """A value used as a condition."""
    if isinstance(value, Operation) and value.name == "boxed":
        return value.operands[0]
    if isinstance(value, Lit) and isinstance(value.value, bool):
        return Lit(BOOL, value.value)
    return Operation(BOOL, "truth", (value,))


def boxed(value: Expr) -> Expr:
    """A condition used as a value."""
    return Operation(VALUE, "boxed", (value,))


class Expressions:
    """Lowers the expressions of one function."""

    def __init__(self, names: Names, hints: Hints) -> None:
        self.names = names
        self.hints = hints
        self.used: set[str] = set()
        """Builtins that are called by name."""
        self.assumed: set[str] = set()
        """What else is taken for granted, in words."""
        self._hidden = 0

    def hidden(self, name: str) -> Local:
        """A local that the source does not name."""
        self._hidden += 1
        return Local(VALUE, f"${name}{self._hidden}")

    def typed(self, node: ast.expr) -> Type:
        """The type of a value, with what annotations tell of it."""
        return Type("value", name=self.hints.of(node))

    def lower(self, node: ast.expr) -> Expr:
        """The value of an expression."""
        handler = getattr(self, f"_{type(node).__name__.lower()}", None)
        if handler is None:
            raise Unsupported(type(node).__name__)
        found: Expr = handler(node)
        return found

    def condition(self, node: ast.expr) -> Expr:
        """The truth of an expression."""
        if isinstance(node, ast.BoolOp):
            op = "and" if isinstance(node.op, ast.And) else "or"
            found = self.condition(node.values[0])
            for each in node.values[1:]:
                found = Logic(BOOL, op, found, self.condition(each))  # type: ignore[arg-type]
            return found
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return Unary(BOOL, "!", self.condition(node.operand))
        if isinstance(node, ast.Compare) and len(node.ops) > 1 and self._same_twice(node):
            return self._chain_of_conditions(node)
        return truth(self.lower(node))

    def _same_twice(self, node: ast.Compare) -> bool:
        """Whether what stands in the middle of a chain may be read again."""
        return all(
            isinstance(each, ast.Constant)
            or (isinstance(each, ast.Name) and each.id in self.names.locals)
            for each in node.comparators[:-1]
        )

    def _constant(self, node: ast.Constant) -> Expr:
        return Lit(Type("value", name=type(node.value).__name__), node.value)  # 1 == True == 1.0

    def _name(self, node: ast.Name) -> Expr:
        if node.id in self.names.locals:
            type_ = self.typed(node)
            held = type_ if "[" in type_.name else VALUE  # what it is itself shows when it is read
            return Operation(held, "bound", (Local(VALUE, node.id),), node.id)
        return Operation(VALUE, "global", (), node.id)

    def _namedexpr(self, node: ast.NamedExpr) -> Expr:
        if node.target.id not in self.names.locals:
            return Operation(VALUE, "set global", (self.lower(node.value),), node.target.id)
        return Assign(VALUE, Local(VALUE, node.target.id), self.lower(node.value))

    def _binop(self, node: ast.BinOp) -> Expr:
        operands = (self.lower(node.left), self.lower(node.right))
        return Operation(self.typed(node), "binary", operands, BINARY[type(node.op)])

    def _unaryop(self, node: ast.UnaryOp) -> Expr:
        if isinstance(node.op, ast.Not):
            return boxed(self.condition(node))
        return Operation(VALUE, "unary", (self.lower(node.operand),), _UNARY[type(node.op)])

    def _boolop(self, node: ast.BoolOp) -> Expr:
        """`and` and `or` give one of their operands."""
        found = self.lower(node.values[-1])
        for each in reversed(node.values[:-1]):
            kept = self.hidden("operand")
            test = truth(Assign(VALUE, kept, self.lower(each)))
            if isinstance(node.op, ast.And):
                found = Choice(VALUE, test, found, kept)
            else:
                found = Choice(VALUE, test, kept, found)
        return found

    def _compare(self, node: ast.Compare) -> Expr:
        if len(node.ops) == 1:
            sides = node.left, node.comparators[0]
            return self._pair(self.lower(sides[0]), node.ops[0], self.lower(sides[1]), sides)
        parts: list[Expr] = [self.lower(node.left)]
        for each in node.comparators[:-1]:
            kept = self.hidden("side")
            parts.append(Assign(VALUE, kept, self.lower(each)))
        parts.append(self.lower(node.comparators[-1]))

        def rest(place: int) -> Expr:
            left = parts[place]
            if isinstance(left, Assign) and place:
                left = left.target
            pair = self._pair(left, node.ops[place], parts[place + 1])
            if place == len(node.ops) - 1:
                return pair
            kept = self.hidden("order")
            return Choice(VALUE, truth(Assign(VALUE, kept, pair)), rest(place + 1), kept)

        return rest(0)

    def _pair(
        self, left: Expr, op: ast.cmpop, right: Expr, sides: tuple[ast.expr, ...] = ()
    ) -> Expr:
        identity = isinstance(op, ast.Is | ast.IsNot)
        if identity and any(self.names.is_object(each) for each in sides):
            same = Operation(BOOL, "is the object", (left, right))
            return boxed(same if isinstance(op, ast.Is) else Unary(BOOL, "!", same))
        return Operation(VALUE, "compare", (left, right), _COMPARE[type(op)])

    def _chain_of_conditions(self, node: ast.Compare) -> Expr:
        """`a < b < c` as a condition, where reading b again changes nothing."""
        sides = [node.left, *node.comparators]
        tests = [
            truth(self._pair(self.lower(sides[place]), op, self.lower(sides[place + 1])))
            for place, op in enumerate(node.ops)
        ]
        found = tests[0]
        for test in tests[1:]:
            found = Logic(BOOL, "and", found, test)
        return found

    def _ifexp(self, node: ast.IfExp) -> Expr:
        test = self.condition(node.test)
        return Choice(VALUE, test, self.lower(node.body), self.lower(node.orelse))

    def _attribute(self, node: ast.Attribute) -> Expr:
        return Operation(VALUE, "attribute", (self.lower(node.value),), node.attr)

    def _subscript(self, node: ast.Subscript) -> Expr:
        owner = self.lower(node.value)
        if isinstance(node.slice, ast.Slice):
            bounds = [
                self.lower(each) if each is not None else NONE
                for each in (node.slice.lower, node.slice.upper)
            ]
            if node.slice.step is None:
                return Operation(self.typed(node), "slice", (owner, *bounds))
            operands = (owner, *bounds, self.lower(node.slice.step))
            return Operation(self.typed(node), "stepped slice", operands)
        return Operation(self.typed(node), "index", (owner, self.lower(node.slice)))

    # Displays

    def _list(self, node: ast.List) -> Expr:
        if any(isinstance(each, ast.Starred) for each in node.elts):
            return self._starred(node, node.elts)
        parts = tuple(self.lower(each) for each in node.elts)
        return Operation(self.typed(node), type(node).__name__.lower(), parts)

    _tuple = _list
    _set = _list

    def _starred(self, node: ast.expr, parts: list[ast.expr]) -> Expr:
        values = [each.value if isinstance(each, ast.Starred) else each for each in parts]
        shape = "".join("*" if isinstance(each, ast.Starred) else "_" for each in parts)
        operands = tuple(self.lower(each) for each in values)
        return Operation(VALUE, f"starred {type(node).__name__}", operands, shape)

    def _dict(self, node: ast.Dict) -> Expr:
        operands: list[Expr] = []
        for key, value in zip(node.keys, node.values, strict=True):
            operands += [*([self.lower(key)] if key is not None else []), self.lower(value)]
        if None in node.keys:
            shape = "".join("*" if key is None else "_" for key in node.keys)
            return Operation(VALUE, "starred Dict", tuple(operands), shape)
        return Operation(VALUE, "dict", tuple(operands))

    def _joinedstr(self, node: ast.JoinedStr) -> Expr:
        parts: list[Expr] = []
        for each in node.values:
            if isinstance(each, ast.FormattedValue):
                spec = [self.lower(each.format_spec)] if each.format_spec is not None else []
                key = chr(each.conversion) if each.conversion > 0 else ""
                parts.append(Operation(VALUE, "format", (self.lower(each.value), *spec), key))
            else:
                parts.append(self.lower(each))
        return Operation(VALUE, "format", tuple(parts), "join")

    def _scope(self, node: ast.expr) -> Expr:
        """A lambda or comprehension: a function of the locals it names."""
        if any(isinstance(each, ast.NamedExpr | ast.Yield | ast.Await) for each in ast.walk(node)):
            raise Unsupported("an assignment inside a comprehension")
        reads = tuple(Local(VALUE, name) for name in captured(node, self.names.locals))
        name = type(node).__name__.lower()
        text = ast.unparse(_Spoken(self._spoken).visit(copy.deepcopy(node)))
        return Operation(VALUE, f"scope {name}", reads, text)

    _lambda = _listcomp = _setcomp = _dictcomp = _generatorexp = _scope

    def _yield(self, node: ast.Yield) -> Expr:
        value = self.lower(node.value) if node.value is not None else NONE
        return Operation(VALUE, "yield", (value,))

    def _yieldfrom(self, node: ast.YieldFrom) -> Expr:
        return Operation(VALUE, "yield from", (self.lower(node.value),))

    def _await(self, node: ast.Await) -> Expr:
        return Operation(VALUE, "await", (self.lower(node.value),))

    # Calls

    def _call(self, node: ast.Call) -> Expr:
        node = self._spoken(node)
        plain = not node.keywords and not any(isinstance(a, ast.Starred) for a in node.args)
        function, meaning = node.func, self.names.meaning(node.func)
        if plain and meaning == "typing.cast" and len(node.args) == 2 and is_type(node.args[0]):
            if not isinstance(node.args[0], ast.Constant):
                self.assumed.add("types that `cast` is given are there when it is called")
            return self.lower(node.args[1])
        if plain and meaning in MODELLED and len(node.args) == 1:
            return Operation(VALUE, "builtin", (self.lower(node.args[0]),), meaning)
        classes = self._classes(node) if plain else []
        if classes:
            self.used |= {"isinstance", *classes}
            asked = Operation(BOOL, "isinstance", (self.lower(node.args[0]),), " ".join(classes))
            return boxed(asked)
        if plain and isinstance(function, ast.Name) and self.by_name(function.id):
            self.used.add(function.id)
            operands = tuple(self.lower(each) for each in node.args)
            if function.id == "super" and not operands:  # it looks at the first parameter itself
                operands = tuple(Local(VALUE, name) for name in self.names.parameters[:1])
            return Operation(self.typed(node), "builtin", operands, function.id)
        if isinstance(function, ast.Attribute) and plain:
            owner = self.lower(function.value)
            looked = Operation(owner.type, "lookup", (owner,), function.attr)
            arguments = tuple(self.lower(each) for each in node.args)
            found = Operation(self.typed(node), "method", (looked, *arguments), function.attr)
            return Operation(VALUE, "answer", (found,), TEXT) if _fills_text(function) else found
        values = [each.value if isinstance(each, ast.Starred) else each for each in node.args]
        shape = "".join("*" if isinstance(each, ast.Starred) else "_" for each in node.args)
        shape += ",".join(f"{each.arg or '**'}=" for each in node.keywords)
        operands = tuple(self.lower(each) for each in [*values, *(k.value for k in node.keywords)])
        called = Operation(VALUE, "call", (self.lower(function), *operands), shape)
        literal = isinstance(function, ast.Attribute) and _is_text(function.value)
        name = f"str.{function.attr}" if isinstance(function, ast.Attribute) and literal else ""
        name = TEXT if _fills_text(function) else name
        if isinstance(function, ast.Name) and self.by_name(function.id):
            self.used.add(function.id)
            name = function.id
        return Operation(VALUE, "answer", (called,), name) if name in RESULTS else called

    def _classes(self, node: ast.Call) -> list[str]:
        """The builtin classes that `isinstance` is asked for; none for any other call."""
        named = isinstance(node.func, ast.Name) and node.func.id == "isinstance"
        if not named or len(node.args) != 2 or not self.by_name("isinstance"):
            return []
        parts = node.args[1].elts if isinstance(node.args[1], ast.Tuple) else [node.args[1]]
        names = [each.id for each in parts if isinstance(each, ast.Name)]
        known = all(name in CLASSES and self.by_name(name) for name in names)
        return sorted(set(names)) if known and len(names) == len(parts) else []

    def _spoken(self, node: ast.Call) -> ast.Call:
        """A call of a builtin without arguments that only say what it does anyway."""
        if not isinstance(node.func, ast.Name) or not self.by_name(node.func.id):
            return node
        if any(isinstance(each, ast.Starred) for each in node.args):
            return node
        name, args = node.func.id, list(node.args)
        if name == "range" and len(args) == 2 and _says(args[0], (0,)):
            args = args[1:]
        while len(args) > 1 and _says(args[-1], LAST.get((name, len(args)), ())):
            args.pop()
        keywords = [k for k in node.keywords if not _says(k.value, KEYWORDS.get((name, k.arg), ()))]
        same = len(args) == len(node.args) and len(keywords) == len(node.keywords)
        return node if same else ast.Call(node.func, args, keywords)

    def by_name(self, name: str) -> bool:
        """Whether a name that is read here stands for a builtin."""
        return self.names.is_builtin(name)


class _Spoken(ast.NodeTransformer):
    """Takes arguments that say nothing out of all calls inside."""

    def __init__(self, spoken: Callable[[ast.Call], ast.Call]) -> None:
        self._spoken = spoken

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """A call, after those inside it."""
        self.generic_visit(node)
        return self._spoken(node)


def is_type(node: ast.expr) -> bool:
    """Whether an expression only names a type, as annotations do."""
    parts = (ast.Name, ast.Attribute, ast.Constant, ast.Tuple, ast.List, ast.Subscript, ast.BinOp,
             ast.BitOr, ast.expr_context)  # fmt: skip
    return all(isinstance(each, parts) for each in ast.walk(node))


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _fills_text(node: ast.expr) -> bool:
    """Whether `format` of a literal is asked, with text around or between what is filled in."""
    if not isinstance(node, ast.Attribute) or node.attr not in ("format", "format_map"):
        return False
    text = node.value.value if isinstance(node.value, ast.Constant) else None
    try:
        return isinstance(text, str) and any(part[0] for part in Formatter().parse(text))
    except ValueError:  # no format at all: it raises
        return False


def _says(node: ast.expr, values: tuple[object, ...]) -> bool:
    """Whether an expression is one of these constants."""
    value = node.value if isinstance(node, ast.Constant) else ...
    return any(type(value) is type(each) and value == each for each in values)
