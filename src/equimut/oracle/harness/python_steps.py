"""Counts the steps of Python code: the syntax tree gets a tick at every place that can repeat.

Runs inside the sandbox, next to `python_runner.py`.
"""

import ast
from typing import Any

TICK = "__equimut_tick__"
CHARGE = "__equimut_charge__"
LIMB = 64
"""Bits per unit of work, for integers that outgrow a machine word."""


class Endless(BaseException):
    """Raised when the step budget is spent; not an Exception, so ordinary handlers let it by."""


class Meter:
    """The step budget of one call."""

    def __init__(self) -> None:
        self.steps = 0
        self.budget = 0

    def tick(self) -> bool:
        """One step; True, so that it can stand in the condition of a comprehension."""
        self.steps += 1
        if self.steps > self.budget:
            raise Endless
        return True

    def spend(self, steps: int) -> None:
        """Several steps at once: work that one operation does."""
        self.steps += steps
        if self.steps > self.budget:
            raise Endless

    def charge(self, operation: str, left: Any, right: Any) -> Any:
        """Pay for an operation whose cost grows without a loop; gives the right operand back."""
        if type(left) is int and type(right) is int:
            if operation == "<<":
                self.spend(max(right, 0) // (LIMB * LIMB))
            elif operation == "**":
                bits = left.bit_length() * right if right > 0 and abs(left) > 1 else 0
                self.spend((bits // LIMB) ** 2 // LIMB)
            else:
                self.spend((left.bit_length() // LIMB) * (right.bit_length() // LIMB) // LIMB)
        elif operation == "*":
            for sequence, times in ((left, right), (right, left)):
                if type(times) is int and isinstance(sequence, (str, bytes, list, tuple)):
                    self.spend(max(len(sequence) * times, 0) // LIMB)
        return right

    def range(self, *bounds: int) -> range:
        """A range that is consumed as a whole, by `sum` or `list`: pay for its length."""
        numbers = range(*bounds)
        if numbers:
            self.spend(abs((numbers[-1] - numbers[0]) // numbers.step) // LIMB)
        return numbers


OPERATORS = {ast.Mult: "*", ast.Pow: "**", ast.LShift: "<<"}


class Ticking(ast.NodeTransformer):
    """Puts ticks into loops, functions, lambdas and comprehensions."""

    def _call(self, name: str, *arguments: ast.expr) -> ast.Call:
        return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])

    def _tick_body(self, node: Any, docstring: bool = False) -> Any:
        self.generic_visit(node)
        first = node.body[0]
        keep = docstring and isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
        node.body.insert(1 if keep else 0, ast.Expr(self._call(TICK)))
        return node

    def visit_While(self, node: ast.While) -> Any:
        return self._tick_body(node)

    def visit_For(self, node: ast.For) -> Any:
        return self._tick_body(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        return self._tick_body(node, docstring=True)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> Any:
        return self._tick_body(node, docstring=True)

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        self.generic_visit(node)
        pair = ast.Tuple([self._call(TICK), node.body], ast.Load())
        node.body = ast.Subscript(pair, ast.Constant(1), ast.Load())
        return node

    def visit_comprehension(self, node: ast.comprehension) -> Any:
        self.generic_visit(node)
        node.ifs.insert(0, self._call(TICK))
        return node

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        self.generic_visit(node)
        operation = OPERATORS.get(type(node.op))
        constants = isinstance(node.left, ast.Constant) and isinstance(node.right, ast.Constant)
        if operation is None or constants:
            return node
        return self._call(f"__equimut_{type(node.op).__name__}__", node.left, node.right)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        self.generic_visit(node)
        operation = OPERATORS.get(type(node.op))
        if operation is not None and isinstance(node.target, ast.Name):
            current = ast.Name(node.target.id, ast.Load())
            node.value = self._call(CHARGE, ast.Constant(operation), current, node.value)
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        for argument in node.args:
            if isinstance(argument, ast.Call) and isinstance(argument.func, ast.Name):
                name = argument.func
                if name.id == "range" and not argument.keywords:
                    name.id = "__equimut_range__"
        return node


def instrumented(source: str) -> ast.Module:
    """The tree of a source with ticks in it."""
    tree: ast.Module = ast.fix_missing_locations(Ticking().visit(ast.parse(source)))
    return tree


def meter_names(meter: Meter) -> dict[str, Any]:
    """The names that an instrumented source uses."""

    def multiply(left: Any, right: Any) -> Any:
        return left * meter.charge("*", left, right)

    def power(left: Any, right: Any) -> Any:
        return left ** meter.charge("**", left, right)

    def shift(left: Any, right: Any) -> Any:
        return left << meter.charge("<<", left, right)

    return {
        TICK: meter.tick,
        CHARGE: meter.charge,
        "__equimut_range__": meter.range,
        "__equimut_Mult__": multiply,
        "__equimut_Pow__": power,
        "__equimut_LShift__": shift,
    }


def load(source: str, meter: Meter) -> dict[str, Any]:
    """Execute the instrumented source and give its names."""
    names: dict[str, Any] = {"__name__": "subject", **meter_names(meter)}
    exec(compile(instrumented(source), "<subject>", "exec", dont_inherit=True), names)
    return names
