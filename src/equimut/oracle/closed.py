"""Whether a function is seen to touch its parameters only, so that all inputs are all there is.

A run on every value of the parameters proves nothing about code that also reads or changes
fields, globals, the clock, files or the environment.
"""

import re

from equimut.parsing.tree import parse, walk
from equimut.semantics.names import is_tame
from equimut.semantics.program import Program

_OPEN = re.compile(
    r"call|invocation|object_creation|lambda|method_reference|comprehension|generator|await|yield"
    r"|^attribute$|field_access|field_expression|field_declaration|subscript|^this$|^super$|import"
    r"|global_statement|nonlocal_statement|decorat|^with_|pointer|asm|preproc|throw|raise|assert"
    r"|synchronized|static_initializer|^dictionary$|^set$|class_definition|match_|compound_literal"
)
"""Node types that may reach beyond the parameters, or whose result is more than its text."""
_COMMENT = "comment"


def is_closed(source: str, language: str) -> bool:
    """Whether a source is one function that reads and changes its own variables and nothing else.

    Any call, any name that is not declared in it, any field or address makes it open: this says
    no more often than it must.
    """
    tree = parse(source, language)
    if tree.errors:
        return False
    program = Program(tree)
    nodes = list(walk(tree.root))
    functions = [node for node in nodes if node.type in program.dialect.callables]
    if len(functions) != 1 or any(_OPEN.search(node.type) for node in nodes if node.is_named):
        return False
    (function,) = functions
    for node in tree.root.named_children:
        around = node.start_byte <= function.start_byte and function.end_byte <= node.end_byte
        if not around and _COMMENT not in node.type:
            return False
    for name, places in program.identifiers.items():
        uses = [
            node
            for node in places
            if function.start_byte <= node.start_byte < function.end_byte
            and (parent := program.parent(node)) is not None
            and parent.type not in ("type", "function_declarator")
            and parent.id != function.id
        ]
        if uses and not is_tame(program, function, name):
            return False
    return True
