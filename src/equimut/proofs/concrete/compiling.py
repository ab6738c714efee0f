"""Lowered nodes as functions of a run; what has no model ends the run as stuck."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from equimut.languages.concrete import Array, Builder, Natives, Stuck, Thrown, Value
from equimut.languages.contracts import Contract
from equimut.languages.lowered import Expr, Function, Node, Stmt, Type
from equimut.proofs.concrete.run import Code, Run

Target = tuple[Code, Callable[[Run, Value], Value], Callable[[Run, Value, Value], None]]
"""Where a target of an assignment is, and how it is read and written there."""


@dataclass(frozen=True)
class Compiler:
    """What is known of the language whose functions are run."""

    natives: Natives
    contracts: Mapping[tuple[str, str, int], Contract]
    supertypes: Mapping[str, tuple[str, ...]]
    undefined: bool
    """C: some operations have no result."""
    handlers: "Mapping[type[Node], Callable[[Compiler, Node], Code]]"
    targets: "Mapping[type[Node], Callable[[Compiler, Node], Target]]"
    methods: Mapping[str, Function]
    calling: tuple[str, ...] = ()

    def code(self, node: Node) -> Code:
        """What executes a node."""
        handler = self.handlers.get(type(node))
        return handler(self, node) if handler is not None else stuck


def stuck(run: Run) -> Value:
    """Something without a model."""
    raise Stuck


UNKNOWN: Target = (stuck, lambda run, where: stuck(run), lambda run, where, value: stuck(run))
"""A target without a model."""


def reached(value: Value) -> Value:
    """An object must be there to be asked."""
    if value is None:
        raise Thrown("NullPointerException")
    return value


def text_of(value: Value, type_: Type) -> str:
    """A value as a part of a text."""
    if value is None:
        return "null"
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and type_.kind == "int":
        return chr(value) if type_.name == "char" else str(value)
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, Builder):
        return value.text
    raise Stuck


def as_array(value: Value) -> Array:
    """An array that is there."""
    if not isinstance(reached(value), Array):
        raise Stuck
    found: Array = value
    return found


def parts(compiler: Compiler, nodes: tuple[Expr | Stmt, ...]) -> list[Code]:
    """What executes each of these."""
    return [compiler.code(node) for node in nodes]
