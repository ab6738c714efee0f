"""C's calls: of functions that are declared or standard, and of what may be a macro."""

from tree_sitter import Node

from equimut.languages.c.api import RETURNS
from equimut.languages.c.lowering.operators import Operators
from equimut.languages.c.lowering.surroundings import Prototype
from equimut.languages.c.lowering.types import VOID, pointer, spelt
from equimut.languages.lowered import ANY, Call, Expr, OpaqueExpr, Type, Unsupported, walk
from equimut.languages.scopes import named_parts

_TWICE = frozenset(
    {"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "vfork", "getcontext", "alloca",
     "__builtin_setjmp", "__builtin_alloca"}
)  # fmt: skip
"""Functions that return more than once, or take memory from the caller."""


def _type(spelling: str) -> Type:
    base, stars = spelling.rstrip("*"), spelling.count("*")
    found = spelt(base.split()) or Type("any", name=base)
    for _ in range(stars):
        found = pointer(found)
    return found


class Calls(Operators):
    """Lowers calls."""

    def _call_expression(self, node: Node) -> Expr:
        callee, given = self.part(node, "function"), self.part(node, "arguments")
        while callee.type == "parenthesized_expression":
            callee = self.inside(callee)
        name = self.text(callee)
        if name in _TWICE:
            raise Unsupported(f"a call of {name}")
        if callee.type != "identifier" or self.scopes.find(name) is not None:
            return self._through_pointer(node, callee, given)
        if name in self.file.macros:
            return self.macro(node)
        known = self.file.functions.get(name)
        if known is None and name == "assert":
            return self._assertion(node)
        if known is None and name in RETURNS:
            result, *types = RETURNS[name].split(", ")
            variadic = types[-1:] == ["..."]
            known = Prototype(_type(result), None if variadic else tuple(map(_type, types)))
        if known is None:
            return self.macro(node)
        return self._of(node, name, known, named_parts(given))

    def _of(self, node: Node, name: str, known: Prototype, given: list[Node]) -> Expr:
        types = known.parameters
        if types is not None and len(types) != len(given):
            raise Unsupported("a call with another number of arguments")
        values = [self.lower(each) for each in given]
        arguments = tuple(
            self.argument(value, types[place] if types is not None else None)
            for place, value in enumerate(values)
        )
        key = " ".join(str(argument.type) for argument in arguments)
        own = "own" if name in self.file.functions else ""
        call = Call(known.result, name, None, arguments, own, key)
        return self.unsequenced(node, call, arguments)

    def _through_pointer(self, node: Node, callee: Node, given: Node) -> Expr:
        function = self.lower(callee)
        values = [self.argument(self.lower(each), None) for each in named_parts(given)]
        key = " ".join(str(value.type) for value in values)
        call = Call(ANY, "*", None, (function, *values), "pointer", key)
        return self.unsequenced(node, call, (function, *values))

    def _assertion(self, node: Node) -> Expr:
        """Evaluated or not, as somebody else has decided; it knows its own text and line."""
        inside = [self.lower(each) for each in named_parts(self.part(node, "arguments"))]
        whole = Call(VOID, "assert", None, tuple(inside))
        found = self._unordered(node, whole)
        assert isinstance(found, OpaqueExpr)
        if found.writes or any(isinstance(part, OpaqueExpr) for part in walk(whole)):
            raise Unsupported("an assertion with effects")
        place = self.row(node)
        return OpaqueExpr(VOID, f"{place}: {found.text}", found.reads, True)
