"""From the text of a Python function to its lowered form."""

import ast
import textwrap

from tree_sitter import Node

from equimut.languages.lowered import (
    VALUE,
    Block,
    Declare,
    Function,
    Home,
    Leave,
    Local,
    Operation,
    Stmt,
    Type,
    Unsupported,
)
from equimut.languages.python.lowering.expressions import BUILTINS, NONE
from equimut.languages.python.lowering.hints import Hints
from equimut.languages.python.lowering.names import FunctionNode, Names, names_of, own_nodes
from equimut.languages.python.lowering.statements import UNSET, Statements


def lower_text(node: Node, source: bytes, home: Home | None) -> Function:
    """The function at a node; raises `Unsupported` for what cannot be lowered."""
    module = _parsed(source)
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
    names = names_of(function, module)
    if home is not None:
        around = names_of(function, _parsed(home.source))
        names = Names(
            names.parameters, names.locals, names.hidden | around.hidden,
            names.star_import or around.star_import,
        )  # fmt: skip
    return _lowered(function, names, whole_file=home is not None)


def _parsed(source: bytes) -> ast.Module:
    try:
        return ast.parse(textwrap.dedent(source.decode()))
    except (SyntaxError, ValueError) as error:
        raise Unsupported("the text is no Python of this version") from error


def _lowered(function: FunctionNode, names: Names, *, whole_file: bool) -> Function:
    def is_builtin(name: str) -> bool:
        return name in BUILTINS and name not in names.hidden and not names.star_import

    hints = Hints(function, is_builtin)
    lowering = Statements(names, hints)
    begin: list[Stmt] = []
    entry = []
    for name in names.parameters:
        kind = hints.parameters.get(name, "")
        if kind:
            local = Local(VALUE, name)
            typed = Operation(Type("value", name=kind), "annotated", (local,))
            begin.append(Declare(local, typed))
            entry.append(f"`{name}` is exactly {kind}, as annotated: no bool, no subclass")
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
        assumptions=tuple(f"the module gives `{name}` no other meaning" for name in used),
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
    parts = (type(function).__name__, generator, ast.dump(function.args), decorators, returns)
    return repr((*parts, docstring))
