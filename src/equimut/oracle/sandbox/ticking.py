"""Puts a tick wherever a source with braces can repeat, so that steps are counted.

Ticks stand at the start of loop bodies and functions and at C labels; a bare statement as loop
body gets braces. Python has its own way (`harness/python_steps.py`): its syntax is its layout.
"""

from dataclasses import dataclass

from tree_sitter import Node

from equimut.languages import dialect_of
from equimut.parsing.tree import SyntaxTree, parse, walk


@dataclass(frozen=True)
class TickRules:
    """What a tick looks like, and where it stands besides loops and functions."""

    tick: str
    block: str
    """The node type of statements in braces."""
    labels: frozenset[str] = frozenset()
    missing_return: str = ""
    """A statement for the end of functions that have to return a value (C)."""
    probe: str = ""
    """A statement that says which place is reached; `{}` is its number."""
    constructors: frozenset[str] = frozenset()
    """Blocks that may begin with a call of another constructor, before which nothing may stand."""
    first_calls: frozenset[str] = frozenset()
    """Such calls."""
    branches: frozenset[str] = frozenset()
    """Statements whose parts (`consequence`, `alternative`) may be bare."""
    cases: frozenset[str] = frozenset()
    """Groups of statements after labels with a colon."""
    clauses: frozenset[str] = frozenset()
    """What stands around the second part of a branch."""
    by_function: bool = False
    """A body that does not parse is left alone, and the others get their probes."""


JAVA = TickRules(
    tick=" equimut_.Steps.tick(); ",
    block="block",
    probe=" equimut_.Steps.at({}); ",
    constructors=frozenset({"constructor_body"}),
    first_calls=frozenset({"explicit_constructor_invocation"}),
    branches=frozenset({"if_statement"}),
    cases=frozenset({"switch_block_statement_group"}),
)
C = TickRules(
    tick=" equimut_tick(); ",
    block="compound_statement",
    labels=frozenset({"labeled_statement"}),
    missing_return=" equimut_missing_return(); ",
)
C_PLACES = TickRules(
    tick="",
    block="compound_statement",
    missing_return=" equimut_missing_return(); ",
    probe=" equimut_at({}); ",
    branches=frozenset({"if_statement"}),
    cases=frozenset({"case_statement"}),
    clauses=frozenset({"else_clause"}),
    by_function=True,
)
"""For whole files, whose steps the compiler counts."""


def add_ticks(source: str, language: str, rules: TickRules) -> str:
    """The source with ticks; text that does not parse is given back as it is."""
    tree = parse(source, language)
    if tree.errors:
        return source  # the compiler will say what is wrong with it
    return apply_insertions(tree.source, _insertions(tree, tree.root, rules))


@dataclass(frozen=True)
class Probed:
    """A source with ticks and probes, and the bytes of the original that each probe stands for."""

    text: str
    places: tuple[tuple[int, int], ...]

    def inside(self, start: int, end: int) -> list[int]:
        """The probes of a part of the source."""
        found = enumerate(self.places)
        return [number for number, (first, last) in found if start <= first and last <= end]

    def around(self, start: int, end: int) -> int | None:
        """The innermost probe around a part of the source."""
        found = [
            (last - first, number)
            for number, (first, last) in enumerate(self.places)
            if first <= start and end <= last
        ]
        return min(found)[1] if found else None


def add_probes(source: str, language: str, rules: TickRules) -> Probed:
    """The source with ticks, and a probe wherever control may or may not come."""
    tree = parse(source, language)
    roots = [tree.root]
    if rules.by_function:
        roots = _outermost(tree.root, rules.block)
    elif tree.errors:
        return Probed(source, ())
    found = [each for root in roots for each in _insertions(tree, root, rules)]
    found += _missing_returns(tree, rules) if rules.by_function else []
    places: list[tuple[int, int]] = []

    def add(offset: int, node: Node, before: str = "") -> None:
        found.append((offset, before + rules.probe.format(len(places))))
        places.append((node.start_byte, node.end_byte))

    for node in (each for root in roots for each in walk(root)):
        if node.type == rules.block or node.type in rules.constructors:
            calls = [each for each in node.children if each.type in rules.first_calls]
            add(calls[0].end_byte if calls else node.start_byte + 1, node)
        elif node.type in tree.language.loops:
            body = node.child_by_field_name("body")
            if body is not None and body.type != rules.block:
                add(body.start_byte, body)
        elif node.type in rules.branches:
            for name in ("consequence", "alternative"):
                part = node.child_by_field_name(name)
                if part is not None and part.type in rules.clauses:
                    part = part.named_children[-1]
                if part is not None and part.type != rules.block:
                    add(part.start_byte, part, "{")
                    found.append((part.end_byte, "}"))
        elif node.type in rules.cases:
            colons = [each for each in node.children if each.type == ":"]
            if colons and node.children[-1].type != ":":
                add(colons[-1].end_byte, node)
    return Probed(apply_insertions(tree.source, found), tuple(places))


def add_missing_returns(source: str, language: str, rules: TickRules) -> str:
    """The source with a statement where a function ends without the value it has to return."""
    tree = parse(source, language)
    return apply_insertions(tree.source, _missing_returns(tree, rules))


def _missing_returns(tree: SyntaxTree, rules: TickRules) -> list[tuple[int, str]]:
    callables = dialect_of(tree.language.name).callables
    found = []
    for node in walk(tree.root):
        body = node.child_by_field_name("body") if node.type in callables else None
        sound = body is not None and body.type == rules.block and not node.has_error
        if body is not None and sound and _returns_a_value(node, tree):
            found.append((body.end_byte - 1, rules.missing_return))
    return found


def _outermost(root: Node, kind: str) -> list[Node]:
    """The outermost nodes of a kind that parse: a macro may spoil a function, but not its body."""
    found, waiting = [], [root]
    while waiting:
        node = waiting.pop()
        if node.type != kind:
            waiting += node.children
        elif not node.has_error:
            found.append(node)
    return sorted(found, key=lambda node: node.start_byte)


def apply_insertions(source: bytes, insertions: list[tuple[int, str]]) -> str:
    """Put texts at byte offsets; of two at one offset, the first in the list comes first."""
    parts, last = [], 0
    for offset, text in sorted(insertions, key=lambda pair: pair[0]):
        parts += [source[last:offset], text.encode()]
        last = offset
    return b"".join([*parts, source[last:]]).decode()


def _insertions(tree: SyntaxTree, root: Node, rules: TickRules) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    loops, functions = tree.language.loops, dialect_of(tree.language.name).callables
    for node in walk(root):
        body = node.child_by_field_name("body")
        if node.type in loops and body is not None:
            found += _in_statement(body, rules)
        elif node.type in functions and body is not None and body.type == rules.block:
            found.append((body.start_byte + 1, rules.tick))
            if rules.missing_return and _returns_a_value(node, tree):
                found.append((body.end_byte - 1, rules.missing_return))
        elif node.type in rules.labels:
            colon = next((child for child in node.children if child.type == ":"), None)
            if colon is not None:
                found.append((colon.end_byte, rules.tick))
    return found


def _in_statement(body: Node, rules: TickRules) -> list[tuple[int, str]]:
    if body.type == rules.block:
        return [(body.start_byte + 1, rules.tick)]
    return [(body.start_byte, "{" + rules.tick), (body.end_byte, "}")]


def _returns_a_value(function: Node, tree: SyntaxTree) -> bool:
    result = function.child_by_field_name("type")
    declarator = function.child_by_field_name("declarator")
    pointer = declarator is not None and declarator.type == "pointer_declarator"
    return result is not None and (pointer or tree.text(result).strip() != "void")
