"""Python's statements, lowered."""

import ast

from equimut.languages.lowered import (
    BOOL,
    EMPTY,
    VALUE,
    Assign,
    Block,
    Catch,
    Declare,
    Do,
    If,
    Leave,
    Lit,
    Local,
    Operation,
    Stmt,
    Try,
    Type,
    Unary,
    Unsupported,
)
from equimut.languages.python.lowering.expressions import BINARY, NONE, truth
from equimut.languages.python.lowering.loops import Loops
from equimut.languages.python.lowering.scopes import captured

THROWN = Type("ref", name="BaseException")
UNSET = Operation(VALUE, "unset")


class Statements(Loops):
    """Lowers the statements of one function."""

    def block(self, nodes: list[ast.stmt]) -> Stmt:
        """Statements in order."""
        found: list[Stmt] = []
        for node in nodes:
            lowered = self.statement(node)
            if isinstance(lowered, Block) and not isinstance(node, ast.With | ast.AsyncWith):
                found.extend(lowered.statements)
            else:
                found.append(lowered)
        return Block(tuple(found))

    def statement(self, node: ast.stmt) -> Stmt:
        """The statement of a node."""
        handler = getattr(self, f"_s_{type(node).__name__.lower()}", None)
        if handler is None:
            raise Unsupported(type(node).__name__)
        found: Stmt = handler(node)
        return found

    def _s_pass(self, node: ast.stmt) -> Stmt:
        return EMPTY

    _s_global = _s_nonlocal = _s_pass

    def _s_expr(self, node: ast.Expr) -> Stmt:
        if isinstance(node.value, ast.Constant):
            return EMPTY
        return Do(self.lower(node.value))

    def _s_return(self, node: ast.Return) -> Stmt:
        return Leave("return", self.lower(node.value) if node.value is not None else NONE)

    def _s_if(self, node: ast.If) -> Stmt:
        return If(self.condition(node.test), self.block(node.body), self.block(node.orelse))

    def _s_raise(self, node: ast.Raise) -> Stmt:
        if node.exc is None:
            again = Operation(VALUE, "raise again")
            return Leave("throw", again)
        value = self.lower(node.exc)
        if node.cause is not None:
            value = Operation(VALUE, "raised from", (value, self.lower(node.cause)))
        return Leave("throw", Operation(VALUE, "raised", (value,)))

    def _s_assert(self, node: ast.Assert) -> Stmt:
        message = (self.lower(node.msg),) if node.msg is not None else ()
        failed = Leave("throw", Operation(VALUE, "assertion", message))
        return If(self.condition(node.test), EMPTY, failed)

    def _s_assign(self, node: ast.Assign) -> Stmt:
        value, target = node.value, node.targets[0]
        if len(node.targets) == 1:
            pairs = _pairs(target, value)
            if pairs is not None:
                return self._together(pairs)
            flag = isinstance(target, ast.Name) and target.id in self.flags
            if flag and isinstance(value, ast.Constant):
                value = ast.Constant(bool(value.value))
            return self.assign(target, self.lower(value))
        kept = self.hidden("value")
        steps = [self.assign(each, kept) for each in node.targets]
        return Block((Declare(kept, self.lower(value)), *steps))

    def _together(self, pairs: list[tuple[ast.expr, ast.expr]]) -> Stmt:
        """`a, b = x, y`: all values first."""
        kept = [self.hidden("value") for _ in pairs]
        values = [Declare(local, self.lower(v)) for local, (_, v) in zip(kept, pairs, strict=True)]
        steps = [self.assign(target, local) for local, (target, _) in zip(kept, pairs, strict=True)]
        return Block((*values, *steps))

    def _s_annassign(self, node: ast.AnnAssign) -> Stmt:
        if node.value is None:
            if not isinstance(node.target, ast.Name):
                raise Unsupported("an annotation of a place")
            return EMPTY
        return self.assign(node.target, self.lower(node.value))

    def _s_augassign(self, node: ast.AugAssign) -> Stmt:
        op, target = BINARY[type(node.op)], node.target
        if isinstance(target, ast.Name):
            old = self.lower(ast.Name(target.id, ast.Load()))
            new = Operation(VALUE, "inplace", (old, self.lower(node.value)), op)
            return self.assign(target, new)
        owner = self.hidden("owner")
        begin: list[Stmt] = [Declare(owner, self.lower(target.value))]
        kept = _with_type(owner, self.typed(target.value))
        if isinstance(target, ast.Attribute):
            old = Operation(VALUE, "attribute", (kept,), target.attr)
            new = Operation(VALUE, "inplace", (old, self.lower(node.value)), op)
            return Block((*begin, Do(Operation(VALUE, "set attribute", (new, kept), target.attr))))
        if isinstance(target.slice, ast.Slice):
            raise Unsupported("an operator on a slice")
        place = self.hidden("at")
        begin.append(Declare(place, self.lower(target.slice)))
        read = ast.Subscript(value=target.value, slice=target.slice, ctx=ast.Load())
        old = Operation(self.typed(read), "index", (kept, place))
        new = Operation(VALUE, "inplace", (old, self.lower(node.value)), op)
        return Block((*begin, Do(Operation(VALUE, "store", (new, kept, place)))))

    def _s_delete(self, node: ast.Delete) -> Stmt:
        steps: list[Stmt] = []
        for target in node.targets:
            if isinstance(target, ast.Name) and target.id in self.names.locals:
                steps.append(Do(self.lower(ast.Name(target.id, ast.Load()))))
                steps.append(Do(Assign(VALUE, Local(VALUE, target.id), UNSET)))
            elif isinstance(target, ast.Subscript) and not isinstance(target.slice, ast.Slice):
                operands = (self.lower(target.value), self.lower(target.slice))
                steps.append(Do(Operation(VALUE, "delete item", operands)))
            elif isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice):
                bounds = (target.slice.lower, target.slice.upper, target.slice.step)
                parts = tuple(self.lower(each) for each in bounds if each is not None)
                shape = "".join("_" if each is not None else "-" for each in bounds)
                owner = self.lower(target.value)
                steps.append(Do(Operation(VALUE, "delete slice", (owner, *parts), shape)))
            elif isinstance(target, ast.Attribute):
                owner = self.lower(target.value)
                steps.append(Do(Operation(VALUE, "delete attribute", (owner,), target.attr)))
            else:
                raise Unsupported("del")
        return Block(tuple(steps))

    def _s_functiondef(self, node: ast.FunctionDef | ast.ClassDef) -> Stmt:
        """A function or class inside: a function of the locals it names."""
        if node.name not in self.names.locals:
            raise Unsupported("a definition of a global")
        inside = {id(part) for each in node.body for part in ast.walk(each)}
        if any(isinstance(p, ast.NamedExpr) and id(p) not in inside for p in ast.walk(node)):
            raise Unsupported("an assignment in the head of a definition")
        reads = tuple(Local(VALUE, name) for name in captured(node, self.names.locals))
        made = Operation(VALUE, "definition", reads, ast.unparse(node))
        return Do(Assign(VALUE, Local(VALUE, node.name), made))

    _s_asyncfunctiondef = _s_classdef = _s_functiondef

    def _s_import(self, node: ast.Import | ast.ImportFrom) -> Stmt:
        """An import runs whatever code the module has."""
        steps: list[Stmt] = []
        source = "." * getattr(node, "level", 0) + (getattr(node, "module", None) or "")
        for alias in node.names:
            name = (alias.asname or alias.name).split(".")[0]
            key = f"{source} {alias.name} {alias.asname}"
            target = ast.Name(name, ast.Store())
            steps.append(self.assign(target, Operation(VALUE, "import", (), key)))
        return Block(tuple(steps))

    _s_importfrom = _s_import

    # try and with

    def _s_try(self, node: ast.Try) -> Stmt:
        if any(isinstance(each, ast.Return | ast.Break | ast.Continue)
               for part in node.finalbody for each in ast.walk(part)):  # fmt: skip
            raise Unsupported("a jump out of finally")
        always = self.block(node.finalbody)
        done = Local(BOOL, f"{self.hidden('done').name}")
        body = self.block(node.body)
        if node.orelse:
            body = Block((body, Do(Assign(BOOL, done, Lit(BOOL, True)))))
        catches = self._catches(node.handlers)
        if not node.orelse:
            return Try(body, catches, always)
        inner = Try(body, catches, EMPTY)
        rest = If(done, self.block(node.orelse), EMPTY)
        start = Declare(done, Lit(BOOL, False))
        whole = Block((start, inner, rest))
        return Try(whole, (), always) if node.finalbody else whole

    def _catches(self, handlers: list[ast.ExceptHandler]) -> tuple[Catch, ...]:
        """Handlers of builtin exceptions; one that asks in order, where a class is not builtin."""
        named = [self._caught(each.type) for each in handlers]
        if all(names is not None for names in named):
            return tuple(
                self._catch(each, names) for each, names in zip(handlers, named, strict=True)
                if names is not None
            )  # fmt: skip
        caught = Local(THROWN, self.hidden("caught").name)
        rest: Stmt = Leave("throw", Operation(VALUE, "caught", (caught,)))
        for handler, names in reversed(list(zip(handlers, named, strict=True))):
            if names is not None:
                test = Operation(BOOL, "matches", (caught,), " ".join(names))
            else:
                assert handler.type is not None
                test = Operation(BOOL, "except", (caught, self.lower(handler.type)))
            rest = If(test, self._handler(handler, caught), rest)
        return (Catch(("Throwable",), caught, rest),)

    def _catch(self, node: ast.ExceptHandler, names: tuple[str, ...]) -> Catch:
        local = Local(THROWN, self.hidden("caught").name)
        return Catch(names, local, self._handler(node, local))

    def _handler(self, node: ast.ExceptHandler, local: Local) -> Stmt:
        seen = Do(Operation(VALUE, "handling", (local,)))
        body: Stmt = Block((seen, self.block(node.body)))
        if node.name and node.name not in self.names.locals:
            raise Unsupported("an exception as a global")
        if node.name:
            name = Local(VALUE, node.name)
            start = Do(Assign(VALUE, name, Operation(VALUE, "caught", (local,))))
            end = Do(Assign(VALUE, name, UNSET))
            body = Block((start, Try(body, (), Block((end,)))))
        return body

    def _caught(self, node: ast.expr | None) -> tuple[str, ...] | None:
        """The builtin classes of a handler; None for any other."""
        if node is None:
            return ("Throwable",)
        parts = node.elts if isinstance(node, ast.Tuple) else [node]
        found = []
        for each in parts:
            if not isinstance(each, ast.Name) or not self.by_name(each.id):
                return None
            found.append(
                "Throwable" if each.id == "BaseException" else _ALIASES.get(each.id, each.id)
            )
        return tuple(found)

    def _s_with(self, node: ast.With | ast.AsyncWith) -> Stmt:
        return self._with(node, node.items)

    _s_asyncwith = _s_with

    def _with(self, node: ast.With | ast.AsyncWith, items: list[ast.withitem]) -> Stmt:
        """Entering and leaving are calls; leaving may swallow an exception."""
        if not items:
            return self.block(node.body)
        item, kind = items[0], type(node).__name__
        manager, handled = self.hidden("manager"), Local(BOOL, self.hidden("handled").name)
        caught = Local(THROWN, self.hidden("caught").name)
        entered = Operation(VALUE, "enter", (manager,), kind)
        bind = (
            self.assign(item.optional_vars, entered)
            if item.optional_vars is not None
            else Do(entered)
        )
        swallowed = truth(
            Operation(VALUE, "exit", (manager, Operation(VALUE, "caught", (caught,))), kind)
        )
        again = Leave("throw", Operation(VALUE, "caught", (caught,)))
        mark = Do(Assign(BOOL, handled, Lit(BOOL, True)))
        catch = Catch(("Throwable",), caught, Block((mark, If(swallowed, EMPTY, again))))
        leave = If(
            Unary(BOOL, "!", handled), Do(Operation(VALUE, "exit", (manager, NONE), kind)), EMPTY
        )
        start = (
            Declare(manager, self.lower(item.context_expr)),
            Declare(handled, Lit(BOOL, False)),
        )
        inside = Try(Block((bind, self._with(node, items[1:]))), (catch,), Block((leave,)))
        return Block((*start, inside))


_ALIASES = {"BaseException": "Throwable", "IOError": "OSError", "EnvironmentError": "OSError"}


def _with_type(local: Local, type_: Type) -> Local:
    return Local(type_, local.name)


def _pairs(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]] | None:
    if not isinstance(target, ast.Tuple | ast.List) or not isinstance(value, ast.Tuple | ast.List):
        return None
    parts = [*target.elts, *value.elts]
    if len(target.elts) != len(value.elts) or any(isinstance(p, ast.Starred) for p in parts):
        return None
    return list(zip(target.elts, value.elts, strict=True))
