"""Names that a Python function takes from its module."""

import ast
import builtins
import symtable
from collections.abc import Iterable


def foreign_names(sources: Iterable[str]) -> set[str]:
    """Without them origin and mutant fail alike, which would look like agreement."""
    found: set[str] = set()
    for source in sources:
        try:
            own = {node.name for node in ast.parse(source).body if hasattr(node, "name")}
            tables = [symtable.symtable(source, "<function>", "exec")]
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue  # the judge says what is wrong with it
        while tables:
            table = tables.pop()
            tables.extend(table.get_children())
            found |= {
                symbol.get_name()
                for symbol in table.get_symbols()
                if symbol.is_referenced() and (symbol.is_global() or table.get_type() == "module")
            } - own
    return {name for name in found if not hasattr(builtins, name)}
