"""What an execution keeps in one place: facts with their paths, ways out, library knowledge."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any, Protocol

import z3

from equimut.languages.contracts import Contract
from equimut.languages.lowered import (
    CLASS_LITERAL,
    SEEN,
    Call,
    Convert,
    Declare,
    Element,
    Expr,
    Field,
    Function,
    InstanceOf,
    Length,
    Local,
    Loop,
    Memory,
    New,
    Node,
    OpaqueExpr,
    OpaqueStmt,
    Operation,
    Promise,
    Stmt,
    Try,
    Type,
    children,
    walk,
)
from equimut.proofs.budget import DEFAULT, Budget
from equimut.proofs.smt.symbolic.hierarchy import Hierarchy
from equimut.proofs.smt.symbolic.state import Exit, HeapKey, HeapSorts, Path, merged
from equimut.proofs.smt.symbolic.terms import (
    FALSE,
    Term,
    apply,
    both,
    declared,
    implication,
    is_false,
    is_true,
    negation,
    null,
    null_address,
    ref,
    sort_of,
    value_sort,
    world,
)

HELD = "$held"
"""The local that stands for all references to objects which locals were given so far."""
CAPACITY = " of a capacity"
"""How keys of new objects end whose one argument is a capacity."""
Handlers = Mapping[type[Node], Callable[..., Term]]
"""What executes each kind of node, given the engine, the node and the path."""


Names = tuple[int, Mapping[int, tuple[Term, frozenset[str]]]]
"""How many values were made up so far, and the types that are known by term."""
Symbols = dict[int, tuple[set[str], Term]]
"""The names of what small terms leave open, by their ids (kept, so that they keep them)."""
Invariant = tuple[str, Callable[[Path], Term]]
"""Something that may be true at the head of a loop: in words, and of a state."""


class LoopKnowledge(Protocol):
    """What is known of the loops of a language whose values carry their types."""

    def forget(self, engine: "Engine", loop: Loop, path: Path) -> None:
        """Everything the loop may change becomes unknown."""

    def effects(self, engine: "Engine", loop: Loop, path: Path) -> tuple[bool, set[HeapKey]]:
        """Whether the loop calls anything, and which parts of the heap it writes itself."""

    def settle(self, engine: "Engine", loop: Loop, before: Path, path: Path) -> None:
        """What is known behind the loop of the types of what it has written."""

    def weighs(self, engine: "Engine", value: Term) -> bool:
        """Whether it shows when a value is dropped."""

    def candidates(self, engine: "Engine", loop: Loop, before: Path) -> list[Invariant]:
        """What may be true at the head."""


INGREDIENTS = (
    "contracts", "path facts", "loop invariants", "one iteration", "whole scopes",
    "callees", "file", "first iterations",
)  # fmt: skip
"""What can be switched off to see what it gives."""
TRACED = "untraced invariants"
"""Switched off in the same way: then the solver is asked which assumptions an invariant needs."""


class Gave(Exception):
    """The prover gives up: too large, or something it has no model of."""


@dataclass(frozen=True)
class Library:
    """What is known of a language's library."""

    contracts: Mapping[tuple[str, str, int], Contract]
    supertypes: Mapping[str, tuple[str, ...]]
    undefined_is_outside: bool = False
    """C: what is undefined in the origin is outside its domain."""
    results: Mapping[str, str] = field(default_factory=dict)
    """The classes of what functions and methods answer, whatever they are given."""
    least: Mapping[str, int] = field(default_factory=dict)
    """The least numbers that they answer."""


@dataclass(frozen=True)
class Fact:
    """Something that is true in every execution, with its reason."""

    term: Term
    words: str
    assumed: bool = False
    """Rests on a contract that a class of the user's might break."""


@dataclass
class Effort:
    """Steps of the solver that invariants have taken so far."""

    spent: int = 0


@dataclass
class Engine:
    """Shared by the executions of origin and mutant: same symbols, same facts."""

    library: Library
    functions: tuple[Function, ...]
    handlers: Handlers
    budget: Budget = DEFAULT
    without: frozenset[str] = frozenset()
    """Ingredients that are switched off."""
    loops: LoopKnowledge | None = None
    """None: types are in the text."""
    typing: bool = False
    """Only types are asked for: numbers do not matter."""
    sorts: HeapSorts = field(default_factory=HeapSorts)
    facts: list[Fact] = field(default_factory=list)
    exits: list[Exit] = field(default_factory=list)
    steps: int = 0
    effort: Effort = field(default_factory=Effort)
    """May be shared by executions that answer one question."""
    literals: dict[str, Term] = field(default_factory=dict)
    texts: dict[str, Term] = field(default_factory=dict)
    """Strings of a language whose strings are values."""
    kinds: dict[int, tuple[Term, frozenset[str]]] = field(default_factory=dict)
    """Tags that a value may have, where they are known, by the id of its term."""
    places: dict[str, Term] = field(default_factory=dict)
    """Addresses of named objects."""
    unset: dict[int, Term] = field(default_factory=dict)
    """Values that nobody has set (kept, so that they keep their ids)."""
    uniform: dict[int, Term] = field(default_factory=dict)
    """Arrays of which something is claimed for all elements (kept, so that they keep their ids)."""
    heads: Mapping[int, frozenset[str]] = field(default_factory=dict)
    """Locals that may still be read at the head of a loop, by the id of the loop."""
    private: frozenset[str] = frozenset()
    """Locals with an array of their own that nobody else ever sees."""
    axioms: list[Fact] = field(default_factory=list)
    _axioms: set[int] = field(default_factory=set)
    methods: dict[str, Function] = field(default_factory=dict)
    """Callees that are looked into, by name and types of parameters."""
    calling: tuple[str, ...] = ()
    """Those that are being executed, outermost first."""
    results: Mapping[str, tuple[Promise, ...]] = field(default_factory=dict)
    """What is true of the results of longer callees, by name and types of parameters."""
    looks_at_types: bool = True
    """Whether anything asks what an exception is; else nobody needs to know."""
    relied: set[str] = field(default_factory=set)
    """Assumptions that are built into terms: no fact of a proof would name them."""
    leaned: set[str] = field(default_factory=set)
    """Assumptions that what was found to hold may rest on: those that were there, or, if it is
    traced, those that the solver needed."""
    promised: frozenset[str] = frozenset()
    """Fields that invariants of the class speak about."""
    capacities: list[Term] = field(default_factory=list)
    """Of new objects, as they were asked for."""
    measured: bool = False
    """Whether somebody asks for a capacity."""
    names_classes: bool = False
    """Whether somebody asks classes for their names."""
    unseen: Term = None
    """An object that is being made, and that no call can see before `SEEN` is set."""
    never_seen: bool = False
    """Nor can anybody else, if no object comes of it."""
    checkpoints: list[Path] | None = None
    """States in which others may see the objects of the class; None: nobody asks."""
    watched: list[tuple[Term, Term]] | None = None
    """Objects that keep what the class promises, each where its guard holds; None: `this`."""
    anywhere: bool = False
    """The state is any in the middle of a method: nothing is promised of it."""
    making: bool = False
    """`this` is not finished yet."""
    owned: Term = None
    """An object that nobody else knows."""
    unsteady: set[str] = field(default_factory=set)
    """Fields of the class that a loop changes between calls."""
    answered: list[Any] = field(default_factory=list)
    """What was asked about loops so far, and what the answers were."""
    symbols: Symbols = field(default_factory=dict)
    """What was asked about small terms so far."""
    _digests: dict[int, tuple[str, Node]] = field(default_factory=dict)
    made_up: int = 0
    """Values of which nothing is known, so far."""
    narrows: bool = False
    """Whether anything asks for the class of a value."""
    tested: dict[int, tuple[Term, Mapping[int, tuple[Term, frozenset[str]]]]] = field(
        default_factory=dict
    )
    """What conditions say of types, by their ids (kept, so that they keep their ids)."""

    def __post_init__(self) -> None:
        types = [each for function in self.functions for each in function.types]
        self.hierarchy = Hierarchy(() if "contracts" in self.without else types)
        if "contracts" in self.without:
            self.library = replace(self.library, contracts={}, results={}, least={})
        if "callees" not in self.without:
            self.methods = {
                name: callee for each in self.functions for name, callee in each.methods.items()
            }
            self.results = self.functions[0].results
        for function in (*self.functions, *self.methods.values()):
            self.register(function.body)
        first = self.functions[0]
        for _, fact in (*first.facts, *first.invariants, *first.given):
            self.register(fact)
        self.promised = frozenset(
            node.name
            for _, fact in self.functions[0].invariants
            for node in walk(fact)
            if isinstance(node, Field)
        )
        self.measured = any(
            isinstance(node, Call) and node.name == "capacity"
            for function in (*self.functions, *self.methods.values())
            for node in walk(function.body)
        )
        self.names_classes = any(
            isinstance(node, Call) and node.owner == CLASS_LITERAL
            for function in (*self.functions, *self.methods.values())
            for node in walk(function.body)
        )
        if all(each.unseen for each in self.functions) and "callees" not in self.without:
            self.unseen = z3.Const("this", ref())
            self.never_seen = all(each.unseen == "all" for each in self.functions)
        self.looks_at_types = any(
            isinstance(node, Try | InstanceOf) or (isinstance(node, Convert) and node.checked)
            for function in (*self.functions, *self.methods.values())
            for node in walk(function.body)
        )
        self.private = frozenset.intersection(*(_private(each) for each in self.functions))

    def register(self, code: Node) -> None:
        """Make room in the heap for what code reads and writes."""
        for node in walk(code):
            self._register(node)

    def _register(self, node: Node) -> None:
        if isinstance(node, Field) and not node.final:
            self.sorts.key(node.name, sort_of(node.type))
        elif isinstance(node, Element):
            self.sorts.key("[]", sort_of(node.type))
        elif isinstance(node, Operation):
            self.narrows = self.narrows or node.name == "isinstance"
            self.sorts.key("items", z3.ArraySort(z3.IntSort(), value_sort()))
            self.sorts.key("size", z3.IntSort())
            self.sorts.key("contents", declared("Contents"))
        elif isinstance(node, Memory):
            self.heap_key(node)
        elif isinstance(node, New) and node.items:
            self.sorts.key("[]", sort_of(node.items[0].type))

    def start(self) -> Path:
        """The state in which a function begins: anything."""
        function = self.functions[0]
        names = {each.name: each.type for each in function.parameters}
        known = {name: z3.Const(name, sort_of(type_)) for name, type_ in names.items()}
        if self.loops is not None:
            known[HELD] = z3.Const(HELD, declared("Any"))
        this = z3.Const("this", ref())
        known["this"] = this
        path = Path(z3.BoolVal(True), known, z3.Const("world", world()))
        self.know(path, this != null(), "`this` is never null")
        if "file" not in self.without:
            for words, fact in function.facts:
                scratch, exits = path.copy(), self.exits
                assumed = not isinstance(fact, InstanceOf)
                self.know(path, evaluate(self, fact, scratch), words, assumed=assumed)
                self.exits = exits
            for words, fact in () if self.anywhere else function.given:
                self.know(path, self.evaluated(fact, path), words, assumed=True)
            if self.watched is None:
                self.watched = [] if function.static else [(z3.BoolVal(True), this)]
            self.between_calls(path)
        return path

    def between_calls(self, path: Path) -> None:
        """The world of this path is one between calls: there objects of the class keep its word."""
        for guard, object_ in self.watched or ():
            self.promise(path, object_, guard)

    def promise(self, path: Path, object_: Term, guard: Term) -> None:
        """The same for one object, where the guard holds."""
        if self.anywhere:
            return
        for words, fact in self.functions[0].invariants:
            claim = self.of_object(fact, path.world, {}, object_)
            claim = claim if z3.is_true(guard) else z3.Implies(guard, claim)
            self.know(path, claim, words, assumed=True)

    def of_object(self, fact: Expr, world_: Term, heap: dict[HeapKey, Term], object_: Term) -> Term:
        """Whether an invariant is true of an object in a state."""
        return self.evaluated(fact, Path(z3.BoolVal(True), {"this": object_}, world_, heap))

    def evaluated(self, fact: Expr, path: Path) -> Term:
        """Whether something is true in a state; where to ask would throw, nothing is said."""
        exits, self.exits = self.exits, []
        state = Path(z3.BoolVal(True), dict(path.locals), path.world, dict(path.heap))
        found = evaluate(self, fact, state)
        self.exits = exits
        return z3.Implies(state.condition, found)

    def seen(self, path: Path) -> None:
        """Others may look at the objects of the class now."""
        if self.checkpoints is not None:
            self.checkpoints.append(path.copy())

    def tick(self, steps: int = 1) -> None:
        """Count steps; a function that is too large is left alone."""
        self.steps += steps
        if self.steps > self.budget.execution:
            raise Gave("the function is too large")

    def know(self, path: Path, fact: Term, words: str, *, assumed: bool = False) -> None:
        """The one door for facts: each holds where its path leads.

        An assumption can be switched off by its words, like an ingredient.
        """
        if not is_true(fact) and not (assumed and words in self.without):
            self.facts.append(Fact(implication(path.condition, fact), words, assumed))

    def axiom(self, fact: Term, words: str) -> None:
        """A fact about a function of the model that holds for every argument."""
        if fact.get_id() not in self._axioms:
            self._axioms.add(fact.get_id())
            self.axioms.append(Fact(fact, words))

    def fits(self, value: Term, name: str) -> Term:
        """Whether an object is of a type."""
        return self.hierarchy.fits(value, name, self.axiom)

    def leave(self, path: Path, how: str, label: str = "", value: Term | None = None) -> None:
        """Control goes somewhere else from here."""
        if not path.dead:
            self.exits.append(Exit(how, label, path.copy(), value))
        path.condition = FALSE

    def throw(self, path: Path, guard: Term, kind: str, *about: Term, message: str = "") -> None:
        """An exception of this kind where the guard holds."""
        guard = z3.simplify(guard)
        if is_false(guard):
            return
        value = apply(f"exception {kind} {message}", ref(), list(about))
        thrown = path.copy()
        thrown.assume(guard)
        if self.looks_at_types:
            self.know(thrown, value != null(), "an exception is never null")
            for name in (kind, *self.library.supertypes.get(kind, ())):
                fits = self.fits(value, name)
                self.know(thrown, fits, f"{kind} is a {name}")
        self.leave(thrown, "throw", "", value)
        path.assume(negation(guard))

    def undefined(self, path: Path, guard: Term) -> None:
        """What happens where the guard holds is undefined; of such a state nothing else matters."""
        guard = z3.simplify(guard)
        if is_false(guard):
            return
        self.exits.append(Exit("undefined", "", merged([], self.sorts)))
        self.exits[-1].path.condition = both(path.condition, guard)
        path.assume(negation(guard))

    def place(self, name: str) -> Term:
        """The address of a named object."""
        if name not in self.places:
            self.places[name] = z3.Const(f"address of {name}", z3.BitVecSort(64))
        return self.places[name]

    def fresh(self, name: str, sort: z3.SortRef) -> Term:
        """A value of which nothing is known; the same in both executions."""
        self.made_up += 1
        return z3.Const(f"{name}!{self.made_up}", sort)

    def names(self) -> Names:
        """How far names have been made up, and what is known of types."""
        return self.made_up, dict(self.kinds)

    def names_again(self, names: Names) -> None:
        """What was made up since then is forgotten: its names can be given again.

        So the head of a loop is in the same terms whenever it is asked about, and so are the loops
        inside. Types that were found since then belonged to those names.
        """
        self.made_up, self.kinds = names[0], dict(names[1])

    def digest(self, node: Node) -> str:
        """A name for a piece of the two functions, the same for the same code."""
        if id(node) not in self._digests:
            whole = blake2b(repr(node).encode(), digest_size=8).hexdigest()
            self._digests[id(node)] = whole, node  # a node that lives keeps its id
        return self._digests[id(node)][0]

    def literal(self, text: str) -> Term:
        """The object that a literal stands for: never null, another one for other texts."""
        if text not in self.literals:
            self.literals[text] = z3.Const(f"literal {text}", ref())
        return self.literals[text]

    def known(self) -> list[Fact]:
        """All facts; literals are different objects, and none is null."""
        found = [*self.axioms, *self.facts]
        if self.literals:
            apart = z3.Distinct(null(), *self.literals.values())
            found.append(Fact(apart, "different literals are different objects"))
        if self.places:
            found.append(Fact(_apart(self.places), "different objects have different addresses"))
        return found

    def everything(self, path: Path) -> list[Term]:
        """All that a call can see: the world and the heap."""
        held = [path.locals[HELD]] if HELD in path.locals else []
        return [path.world, *held, *(path.array(key, self.sorts) for key in self.sorts.keys)]

    def visible(self, path: Path) -> list[Term]:
        """All that a call of others can see: not the object that nobody else knows yet."""
        if not self._is_unseen(path):
            return self.everything(path)
        return [self.others_part(each) for each in self.everything(path)]

    def _is_unseen(self, path: Path) -> bool:
        """Whether the new object is known to nobody here; a state from anywhere may be later."""
        if self.unseen is None or SEEN in path.locals:
            return False
        return self.never_seen or not self.anywhere

    def others_part(self, rows: Term) -> Term:
        """A part of the heap, whatever it says of the object that nobody else knows."""
        if rows.sort_kind() != z3.Z3_ARRAY_SORT or rows.sort().domain() != ref():
            return rows
        return _without(rows, self.unseen, {})

    def unknown(self, path: Path, key: str, arguments: list[Term], type_: Type) -> Term:
        """A call of which nothing is known: a function of all it can see, with a new world."""
        self.seen(path)
        inputs = [*self.visible(path), *arguments]
        after = apply(f"world after {key}", world(), inputs)
        thrown = path.copy()
        thrown.world, thrown.heap = after, {}
        if self.promised and not key.startswith("opaque"):
            self.between_calls(thrown)
        fails = apply(f"throws {key}", z3.BoolSort(), inputs)
        thrown.assume(fails)
        error = apply(f"exception of {key}", ref(), inputs)
        if self.looks_at_types:
            self.know(thrown, error != null(), "an exception is never null")
        mine = self._mine(path) if "<init>" not in key else {}
        self._keep(thrown, mine)
        self.leave(thrown, "throw", "", error)
        path.condition = both(path.condition, z3.Not(fails))
        path.world, path.heap = after, {}
        self._keep(path, mine)
        return apply(f"result of {key}", sort_of(type_), inputs)

    def all_there(self, path: Path) -> dict[HeapKey, Term]:
        """The whole heap as it is: what an allocation leaves alone."""
        return {key: path.array(key, self.sorts) for key in self.sorts.keys}

    def _keep(self, path: Path, mine: dict[HeapKey, Term]) -> None:
        """Fields that a call has left alone."""
        owner = self.unseen if self.owned is None else self.owned
        for place, value in mine.items():
            rows = path.array(place, self.sorts)
            path.heap[place] = z3.Store(rows, owner, value)

    def _mine(self, path: Path) -> dict[HeapKey, Term]:
        """Fields of an object that nobody else knows: no call changes them."""
        if self.owned is None and self._is_unseen(path):
            return {
                key: _field_of(rows, self.unseen, {})
                for key, rows in sorted(path.heap.items())
                if key[0] != "[]" and rows.sort().domain() == ref()
            }
        if self.owned is None:
            return {}
        return {
            key: z3.Select(path.array(key, self.sorts), self.owned)
            for key in self.sorts.keys
            if key[0] in self.promised
        }

    def heap_key(self, node: Expr) -> HeapKey:
        """The part of the heap that an expression reads or writes."""
        if isinstance(node, Field):
            return self.sorts.key(node.name, sort_of(node.type))
        name = "memory" if isinstance(node, Memory) else "[]"
        return self.sorts.key(name, sort_of(node.type))

    def length(self, array: Term) -> Term:
        """The length of an array, which never changes."""
        size = apply("length of array", z3.BitVecSort(32), [array])
        self.axiom(size >= 0, "an array's length is never negative")
        return size


def evaluate(engine: Engine, node: Expr, path: Path) -> Term:
    """The value of an expression on a path, which goes on where nothing was thrown."""
    engine.tick()
    if path.dead:
        return apply("unreached", sort_of(node.type), [])
    return engine.handlers[type(node)](engine, node, path)


def execute(engine: Engine, node: Stmt, path: Path) -> None:
    """Execute a statement: the path goes on behind it, other ways out are exits of the engine."""
    engine.tick()
    if not path.dead:
        engine.handlers[type(node)](engine, node, path)


def _apart(places: Mapping[str, Term]) -> Term:
    """No object is at the null address; literals may share their bytes, other objects do not."""
    objects = [place for name, place in places.items() if not name.startswith('"')]
    literals = [place != null_address() for name, place in places.items() if name.startswith('"')]
    return z3.And(z3.Distinct(null_address(), *objects), *literals)


def _without(rows: Term, object_: Term, known: dict[int, Term]) -> Term:
    """Rows of a field without what was written for one object, as far as that can be seen."""
    place = rows.get_id()
    if place in known:  # branches share most of what came before them
        return known[place]
    found = rows
    if z3.is_store(rows):
        inner = _without(rows.arg(0), object_, known)
        if rows.arg(1).eq(object_):
            found = inner
        elif not inner.eq(rows.arg(0)):
            found = z3.Store(inner, rows.arg(1), rows.arg(2))
    elif z3.is_app_of(rows, z3.Z3_OP_ITE):
        sides = [_without(side, object_, known) for side in rows.children()[1:]]
        found = sides[0] if sides[0].eq(sides[1]) else z3.If(rows.arg(0), *sides)
    known[place] = found
    return found


def _field_of(rows: Term, object_: Term, known: dict[int, Term]) -> Term:
    """What a field of an object holds; the same on both sides of a branch is one value."""
    place = rows.get_id()
    if place not in known:
        known[place] = rows[object_]
        if z3.is_store(rows) and rows.arg(1).eq(object_):
            known[place] = rows.arg(2)
        elif z3.is_app_of(rows, z3.Z3_OP_ITE):
            sides = [_field_of(side, object_, known) for side in rows.children()[1:]]
            known[place] = sides[0] if sides[0].eq(sides[1]) else z3.If(rows.arg(0), *sides)
    return known[place]


def _private(function: Function) -> frozenset[str]:
    """Locals that hold a new array and are only ever indexed or measured."""
    made, shared = set(), {each.name for each in function.parameters}
    stack: list[Node] = [function.body]
    while stack:
        node = stack.pop()
        if isinstance(node, Declare) and isinstance(node.value, New) and node.value.length:
            made.add(node.local.name)
        for name, part in children(node):
            indexed = isinstance(node, Element | Length) and name == "array"
            declared = isinstance(node, Declare) and name == "local"
            if isinstance(part, Local) and not indexed and not declared:
                shared.add(part.name)
            stack.append(part)
        if isinstance(node, OpaqueExpr | OpaqueStmt):
            shared |= {local.name for local in node.reads}
    return frozenset(made - shared)
