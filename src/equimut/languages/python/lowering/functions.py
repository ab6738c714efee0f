"""From the text of a Python function to its lowered form."""

import ast

from tree_sitter import Node

from equimut.languages.lowered import (
    VALUE,
    Block,
    Declare,
    Function,
    Home,
    Leave,
    Lit,
    Local,
    Operation,
    Stmt,
    Type,
    Unsupported,
)
from equimut.languages.python.lowering.expressions import NONE
from equimut.languages.python.lowering.flags import flags, last_loops
from equimut.languages.python.lowering.hints import Hints
from equimut.languages.python.lowering.modules import around, parsed
from equimut.languages.python.lowering.names import Names, names_of
from equimut.languages.python.lowering.scopes import FunctionNode, all_parameters, own_nodes
from equimut.languages.python.lowering.statements import UNSET, Statements

_PLAIN = (type(None), bool, int, float, str)


def lower_text(node: Node, source: bytes, home: Home | None) -> Function:
    """The function at a node; raises `Unsupported` for what cannot be lowered."""
    module = parsed(source)
    line = source.count(b"\n", 0, node.start_byte) + 1
    function = next(
        (
            each
            for each in ast.walk(module)
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) and each.lineno == line
        ),
        None,
    )
    if function is None:
        raise Unsupported("the function is not where it was")
    names = names_of(function, around(source, home.source if home is not None else None))
    return _lowered(function, names, whole_file=home is not None)


def _lowered(function: FunctionNode, names: Names, *, whole_file: bool) -> Function:
    hints = Hints(function, names.locals, names.is_builtin, names.spells_type)
    lowering = Statements(names, hints)
    lowering.flags, lowering.last_loops = flags(function, names.locals), last_loops(function)
    if hints.announced:
        lowering.assumed.add("values are what their annotations say")
    begin: list[Stmt] = []
    entry = []
    for name in names.parameters:
        kind = hints.parameters.get(name, "")
        if kind:
            local = Local(VALUE, name)
            typed = Operation(Type("value", name=kind), "annotated", (local,))
            begin.append(Declare(local, typed))
            entry.append(f"`{name}` is exactly {kind}, as annotated: no bool, no subclass")
    for star, tag in ((function.args.vararg, "tuple"), (function.args.kwarg, "dict")):
        if star is not None:
            packed = Operation(VALUE, "packed", (Local(VALUE, star.arg),), tag)
            begin.append(Declare(Local(VALUE, star.arg), packed))
    begin += [
        Declare(Local(VALUE, name), UNSET) for name in sorted(names.locals - set(names.parameters))
    ]
    body = lowering.block(function.body)
    end = Leave("return", NONE)
    used = [] if whole_file else sorted(lowering.used)
    return Function(
        function.name,
        tuple(Local(VALUE, name) for name in names.parameters),
        Block((*begin, body, end)),
        VALUE,
        signature=_signature(function),
        defaults=tuple(
            (name, Lit(Type("value", name=type(value).__name__), value))  # 1 == True == 1.0
            for name, value in _defaults(function)
        ),
        assumptions=(
            *(f"the module gives `{name}` no other meaning" for name in used),
            *sorted(lowering.assumed),
        ),
        entry=tuple(entry),
    )


def _signature(function: FunctionNode) -> str:
    """What a caller sees of a function without calling it, and what kind of function it is."""
    nodes = list(own_nodes(function))
    generator = any(isinstance(node, ast.Yield | ast.YieldFrom) for node in nodes)
    decorators = [ast.dump(each) for each in function.decorator_list]
    returns = ast.dump(function.returns) if function.returns is not None else ""
    first = function.body[0]
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    docstring = ast.dump(first) if documented else ""
    parameters = [ast.dump(each) for each in all_parameters(function.args)]
    shape = [len(each) for each in _groups(function.args)]
    plain = [name for name, _ in _defaults(function)]
    others = [
        ast.dump(default) for _, default in _with_default(function) if _constant(default) is None
    ]
    parts = (type(function).__name__, generator, parameters, shape, plain, others)
    return repr((*parts, decorators, returns, docstring))


def _groups(arguments: ast.arguments) -> list[list[ast.arg]]:
    stars = [[each] if each is not None else [] for each in (arguments.vararg, arguments.kwarg)]
    return [arguments.posonlyargs, arguments.args, arguments.kwonlyargs, *stars]


def _with_default(function: FunctionNode) -> list[tuple[str, ast.expr]]:
    """The parameters that may be left out, each with its default."""
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    first = len(positional) - len(arguments.defaults)
    pairs = [*zip(positional[first:], arguments.defaults, strict=True)]
    pairs += [
        (each, default)
        for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if default is not None
    ]
    return [(each.arg, default) for each, default in pairs]


def _defaults(function: FunctionNode) -> list[tuple[str, object]]:
    """The parameters whose default is a plain constant, with its value."""
    found = [(name, _constant(default)) for name, default in _with_default(function)]
    return [(name, each.value) for name, each in found if each is not None]


def _constant(node: ast.expr) -> ast.Constant | None:
    """A constant that has no identity of its own."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _constant(node.operand)
        value = inner.value if inner is not None else None
        return ast.Constant(-value) if type(value) in (int, float) and value else None  # type: ignore[operator]
    plain = isinstance(node, ast.Constant) and type(node.value) in _PLAIN
    return node if isinstance(node, ast.Constant) and plain else None
