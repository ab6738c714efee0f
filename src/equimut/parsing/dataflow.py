"""The data-flow graph: which occurrence of a variable gets its value from which other one."""

from dataclasses import dataclass

from equimut.languages.spec import Relation
from equimut.parsing.tokens import Token, tokenize
from equimut.parsing.tree import SyntaxTree


@dataclass(frozen=True)
class FlowNode:
    """One occurrence of a variable or literal, with the tokens its value comes from."""

    token: int
    relation: Relation
    sources: tuple[int, ...]


@dataclass(frozen=True)
class DataFlowGraph:
    """Tokens, and the nodes that take part in an edge, in the order of their tokens."""

    tokens: tuple[Token, ...]
    nodes: tuple[FlowNode, ...]


def data_flow(tree: SyntaxTree) -> DataFlowGraph:
    """The data-flow graph of everything in the tree."""
    return DataFlowGraph(tokenize(tree), ())
