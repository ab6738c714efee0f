"""Applies operators to every node of a source and keeps the mutants worth having."""

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from heapq import nsmallest

from tree_sitter import Node

from equimut.errors import ParseError
from equimut.mutation.edit import Edit, spaced
from equimut.mutation.identity import Describer, FileIds, draw
from equimut.mutation.operator import Operator
from equimut.mutation.table import select_operators
from equimut.parsing.functions import Function, functions
from equimut.parsing.text_diff import Difference, same_code
from equimut.parsing.tree import EditParser, SyntaxTree, parse
from equimut.records import Mutant
from equimut.semantics.program import Program

UNPARSABLE, UNREACHABLE, DUPLICATE, UNCHANGED = (
    "unparsable",
    "unreachable",
    "duplicate",
    "unchanged",
)
"""Why an edit was dropped: new syntax errors; rejected flow; made before; the same tokens."""


@dataclass(frozen=True)
class MutationRun:
    """The mutants of a source, and how many edits were dropped for which reason."""

    mutants: tuple[Mutant, ...]
    dropped: Mapping[str, int]


def mutate(
    source: str,
    language: str,
    *,
    operators: Collection[str] | None = None,
    function: str | None = None,
    file: str = "",
) -> list[Mutant]:
    """All mutants of a source, in the order of the text; the same input gives the same list.

    A mutant's id is the key that a scan of a report on `file` shows for it.
    """
    return list(iterate(source, language, operators=operators, function=function, file=file))


def run_operators(
    source: str,
    language: str,
    *,
    operators: Collection[str] | None = None,
    function: str | None = None,
    file: str = "",
    sample: int | None = None,
    per_function: int | None = None,
    seed: int = 0,
) -> MutationRun:
    """The mutants together with the counts of what was dropped.

    At most `per_function` of each function and `sample` of all are kept; which, the seed decides.
    """
    dropped: Counter[str] = Counter()
    found = iterate(
        source,
        language,
        operators=operators,
        function=function,
        file=file,
        dropped=dropped,
        per_function=per_function,
        seed=seed,
    )
    return MutationRun(tuple(_drawn(found, sample, seed)), dict(sorted(dropped.items())))


def iterate(
    source: str,
    language: str,
    *,
    operators: Collection[str] | None = None,
    function: str | None = None,
    file: str = "",
    dropped: Counter[str] | None = None,
    per_function: int | None = None,
    seed: int = 0,
) -> Iterator[Mutant]:
    """The mutants one by one, function by function, made as they are asked for."""
    selected = select_operators(operators)
    tree = parse(source, language)
    chosen = _chosen(functions(tree), function)
    program = Program(tree, guesses=True)
    ids = FileIds(file)
    counts: Counter[str] = Counter() if dropped is None else dropped
    for owner, nodes in nodes_by_function(program, functions(tree)):
        if owner in chosen:
            found = candidates(program, nodes, selected)
            made = _Maker(program, owner, ids, counts).mutants(found)
            yield from _drawn(made, per_function, seed)


def _drawn(mutants: Iterator[Mutant], most: int | None, seed: int) -> Iterable[Mutant]:
    """At most so many of them, in their order; each is as likely as any other.

    A mutant's id decides, not its position: the others stay drawn when code is added elsewhere.
    """
    if most is None:
        return mutants

    kept = nsmallest(most, enumerate(mutants), key=lambda each: draw(each[1].id, seed))
    return [mutant for _, mutant in sorted(kept, key=lambda each: each[0])]


def _chosen(found: tuple[Function, ...], name: str | None) -> frozenset[Function]:
    if name is None:
        return frozenset(found)
    chosen = frozenset(function for function in found if function.name == name)
    if not chosen:
        known = ", ".join(dict.fromkeys(function.name for function in found)) or "none"
        raise ParseError(f"no function {name!r} in the source; it has: {known}")
    return chosen


def nodes_by_function(
    program: Program, found: tuple[Function, ...]
) -> list[tuple[Function, list[Node]]]:
    """The nodes that belong to each function, without those of functions inside it."""
    ordered = sorted(found, key=lambda function: (function.start, -function.end))
    nodes: dict[Function, list[Node]] = {function: [] for function in ordered}
    waiting, open_functions = list(reversed(ordered)), list[Function]()
    stack = [program.tree.root]
    while stack:
        node = stack.pop()
        while waiting and waiting[-1].start <= node.start_byte:
            open_functions.append(waiting.pop())
        while open_functions and open_functions[-1].end <= node.start_byte:
            open_functions.pop()
        if open_functions and node.end_byte <= open_functions[-1].end:
            nodes[open_functions[-1]].append(node)
        if not _is_closed(program, node):
            stack.extend(reversed(node.named_children))
    return list(nodes.items())


def _is_closed(program: Program, node: Node) -> bool:
    return node.type in program.dialect.opaque or program.role(node) in ("string", "char")


@dataclass(frozen=True)
class Candidate:
    """An edit that an operator proposes; `rank` is the operator's position in the table."""

    rank: int
    operator: str
    edit: Edit


def candidates(
    program: Program, nodes: list[Node], selected: tuple[Operator, ...]
) -> list[Candidate]:
    """Every edit of every operator, the first operator of the table first."""
    by_role: dict[str, list[tuple[int, Operator]]] = {}
    for rank, operator in enumerate(selected):
        for role in operator.roles:
            by_role.setdefault(role, []).append((rank, operator))
    found: list[Candidate] = []
    for node in nodes:
        roles = [program.role(node)]
        if node.type in program.dialect.statements:
            roles.append("statement")
        for role in roles:
            for rank, operator in by_role.get(role, ()):
                edits = operator.function(program, node)
                found.extend(Candidate(rank, operator.name, edit) for edit in edits)
    return sorted(found, key=lambda candidate: candidate.rank)


class _Maker:
    """Turns the edits of one function into mutants and counts what it drops."""

    def __init__(
        self,
        program: Program,
        function: Function,
        ids: FileIds,
        dropped: Counter[str],
    ) -> None:
        self._source = program.source
        self._language = program.tree.language
        self._function = function
        self._ids = ids
        self._dropped = dropped
        self._text = self._source[function.start : function.end]
        origin = parse(self._text, self._language)
        self._origin = origin.source.decode()
        self._parser = EditParser(origin.source, self._language)
        self._describer = Describer(origin)
        self._errors = len(origin.errors)
        rejects = program.dialect.rejects_flow
        # What is rejected as it is tells nothing about its mutants.
        unchecked = rejects is None or rejects(origin.root, origin.source)
        self._rejects = None if unchecked else rejects

    def mutants(self, candidates: list[Candidate]) -> Iterator[Mutant]:
        """The mutants that remain, by position and then by operator."""
        kept: list[Candidate] = []  # not their texts: a long function has many and long ones
        seen = {_digest(self._origin)}
        for candidate in candidates:
            edit = self._spaced(candidate.edit)
            key = _digest(self._spliced(edit))
            if key in seen:
                self._dropped[DUPLICATE] += 1
                continue
            seen.add(key)
            kept.append(Candidate(candidate.rank, candidate.operator, edit))
        for candidate in sorted(kept, key=_position):
            text = self._spliced(candidate.edit)
            tree = self._parser.parse(text.encode(), *self._span(candidate.edit))
            reason = self._objection(candidate.edit, text, tree)
            if reason is None:
                yield self._mutant(candidate, text, tree)
            else:
                self._dropped[reason] += 1

    def _spaced(self, edit: Edit) -> Edit:
        before = self._source[max(0, edit.start - 4) : edit.start].decode(errors="ignore")
        after = self._source[edit.end : edit.end + 4].decode(errors="ignore")
        return Edit(edit.start, edit.end, spaced(before, edit.text, after))

    def _span(self, edit: Edit) -> Difference:
        start, end = edit.start - self._function.start, edit.end - self._function.start
        return Difference(start, end, start + len(edit.text.encode()))

    def _spliced(self, edit: Edit) -> str:
        start, end, _ = self._span(edit)
        return (self._text[:start] + edit.text.encode() + self._text[end:]).decode()

    def _objection(self, edit: Edit, text: str, tree: SyntaxTree) -> str | None:
        if len(tree.errors) > self._errors:
            return UNPARSABLE
        # Only an edit of white space or comments can leave the tokens as they are; telling the
        # two apart by the text is cheap, comparing all tokens is not.
        original = self._source[edit.start : edit.end].decode()
        suspicious = "".join(original.split()) == "".join(edit.text.split()) or any(
            mark in original + edit.text for mark in ("//", "/*", "#")
        )
        if suspicious and same_code(self._origin, text, self._language.name):
            return UNCHANGED
        if self._rejects is not None and self._rejects(tree.root, tree.source):
            return UNREACHABLE
        return None

    def _mutant(self, candidate: Candidate, text: str, tree: SyntaxTree) -> Mutant:
        edit = candidate.edit
        description = self._describer.describe(tree, self._span(edit))
        return Mutant(
            id=self._ids.new_id(self._function.owner, self._function.name, description),
            operator=candidate.operator,
            function=self._function.name,
            line=self._source.count(b"\n", 0, edit.start) + 1,
            start_byte=edit.start,
            end_byte=edit.end,
            original=self._source[edit.start : edit.end].decode(),
            replacement=edit.text,
            origin_function=self._origin,
            mutant_function=text,
        )


def _position(candidate: Candidate) -> tuple[int, int, int, str]:
    return candidate.edit.start, candidate.edit.end, candidate.rank, candidate.edit.text


def _digest(text: str) -> bytes:
    """The same for two texts that differ in the amount of white space only."""
    return hashlib.blake2b(" ".join(text.split()).encode(), digest_size=16).digest()
