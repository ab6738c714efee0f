"""PIT's mutations of bytecode -> changes of the source text."""

from collections import OrderedDict, defaultdict
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from equimut.errors import ParseError
from equimut.reports.locating import Located, locate
from equimut.reports.pit.alignment import Item, align, align_all
from equimut.reports.pit.edits import NoText, Writer
from equimut.reports.pit.lambdas import Reported
from equimut.reports.pit.layout import MethodLayout
from equimut.reports.pit.members import Members, NotFound
from equimut.reports.pit.mutation import PitMutation, Wanted, mutator_name, wanted
from equimut.reports.pit.points import Point
from equimut.reports.reported import ReportError
from equimut.reports.sources import SourceFile, SourceTree, grammar_for
from equimut.semantics.constants import Constants
from equimut.semantics.program import Program

_KEPT = 4
"""Files whose analysis is kept: PIT reports class by class."""
MAX_NESTING = 800
"""Levels of a tree that are looked at: looking up names takes time with the square of it."""
_STATEMENT = ("_statement", "_declaration")


class _Analysis:
    """One parsed file and the points of the methods asked for so far."""

    def __init__(self, source: SourceFile) -> None:
        self.source = source
        self.program = Program(source.tree)
        self._constants = Constants(self.program)
        self.members = Members(self.program)
        self.writer = Writer(self.program)
        self._points: dict[tuple[int, ...], list[Point]] = {}

    def points(self, mutation: PitMutation, reported: tuple[Reported, ...]) -> list[list[Point]]:
        """The points of a method, in the order of its bytecode; of several that it may be."""
        line, method, descriptor = mutation.line or 0, mutation.method, mutation.descriptor
        body = self.members.class_body(mutation.class_name, line)
        if not method.startswith("lambda$"):
            return [self._laid_out(self.members.parts(body, method, descriptor, line))]
        bodies = self.members.lambda_bodies(body, method, descriptor, line, reported)
        return [self._laid_out([inner], is_value=inner.type != "block") for inner in bodies]

    def _laid_out(self, parts: list[Node], is_value: bool = False) -> list[Point]:
        key = tuple(part.id for part in parts)
        if key not in self._points:
            layout = MethodLayout(self.program, self._constants)
            self._points[key] = layout.returned(*parts) if is_value else layout.body(*parts)
        return self._points[key]

    def near(self, points: Sequence[Point], line: int) -> list[Point]:
        """Points of the statements that reach over a line, whatever line the table gives them."""
        return [point for point in points if self._reaches(point.node, line)]

    def _reaches(self, node: Node, line: int) -> bool:
        around = node
        for outer in (node, *self.program.ancestors(node)):
            around = outer
            if outer.type.endswith(_STATEMENT) or outer.type == "lambda_expression":
                break
        tree = self.program.tree
        header = around.child_by_field_name("body") or around.child_by_field_name("consequence")
        end = header.start_byte if header is not None else around.end_byte
        return tree.line(around.start_byte) <= line <= tree.line(max(end, node.end_byte))


class PitLocator:
    """Finds mutations in the sources below one root."""

    def __init__(self, sources: SourceTree) -> None:
        self._sources = sources
        self._kept: OrderedDict[str, _Analysis | str] = OrderedDict()

    def locate(self, mutations: Sequence[PitMutation]) -> Iterator[Located]:
        """One answer for each mutation of a class, in the order given.

        They are looked at together: the order of several on a line tells which is which.
        """
        groups: dict[tuple[str, str, str, int], list[PitMutation]] = defaultdict(list)
        answers: dict[int, Located] = {}
        for mutation in mutations:
            if mutation.line is None:
                answers[mutation.position] = _lost("the report gives no line")
            else:
                key = mutation.class_name, mutation.method, mutation.descriptor, mutation.line
                groups[key].append(mutation)
        lambdas = tuple(key[1:] for key in groups if key[1].startswith("lambda$"))
        for members in groups.values():
            answers.update(self._group(members, lambdas))
        return (answers[mutation.position] for mutation in mutations)

    def _group(
        self, mutations: list[PitMutation], reported: tuple[Reported, ...]
    ) -> dict[int, Located]:
        first = mutations[0]
        try:
            analysis = self._analysis(first)
            ways = analysis.points(first, reported)
        except (ReportError, ParseError) as error:
            return {mutation.position: Located(None, str(error)) for mutation in mutations}
        except NotFound as error:
            return {mutation.position: _lost(str(error)) for mutation in mutations}
        except RecursionError:
            return {m.position: _lost("the method is nested too deeply") for m in mutations}
        known = [(mutation, wanted(mutation)) for mutation in mutations]
        asked = [(mutation, want) for mutation, want in known if want is not None]
        line = first.line or 0
        if len(ways) > 1:
            ways = [points for points in ways if _explained(asked, _on(points, line))] or ways
        if len(ways) > 1:
            why = f"ambiguous: {len(ways)} lambdas on line {line} fit {first.method}"
            return {mutation.position: _lost(why) for mutation in mutations}
        places = _places(asked, _on(ways[0], line))
        if missing := [m for m, _ in asked if not places[m.position]]:
            wider = _places(asked, analysis.near(ways[0], line))
            places.update({m.position: wider[m.position] for m in missing})
        return {
            mutation.position: _answer(analysis, mutation, want, places.get(mutation.position, []))
            for mutation, want in known
        }

    def _analysis(self, mutation: PitMutation) -> _Analysis:
        package = mutation.class_name.rpartition(".")[0].replace(".", "/")
        name = f"{package}/{mutation.source_file}" if package else mutation.source_file
        if name not in self._kept:
            self._kept[name] = self._analysed(name)
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(name)
        found = self._kept[name]
        if isinstance(found, str):
            raise ReportError(found)
        return found

    def _analysed(self, name: str) -> _Analysis | str:
        try:
            source = self._sources.find(name)
            if (known := grammar_for(source.language)) is None or not known.jvm:
                return f"language not supported: {source.language}"
            if _depth(source.tree.root) > MAX_NESTING:
                return f"not locatable: {name} is nested too deeply"
            return _Analysis(source)
        except (ReportError, ParseError) as error:
            return str(error)


def _depth(root: Node) -> int:
    deepest, stack = 0, [(root, 1)]
    while stack:
        node, depth = stack.pop()
        deepest = max(deepest, depth)
        stack.extend((child, depth + 1) for child in node.children)
    return deepest


def _on(points: Sequence[Point], line: int) -> list[Point]:
    return [point for point in points if point.line == line]


def _explained(asked: list[tuple[PitMutation, Wanted]], points: list[Point]) -> bool:
    """Whether these points are just what PIT would have reported like that."""
    items = _items([(mutation.indexes[:1], want) for mutation, want in asked])
    return align_all(items, _first_copies(points)) is not None


def _first_copies(points: list[Point]) -> list[Point]:
    return list({point.site: point for point in reversed(points)}.values())[::-1]


def _places(asked: list[tuple[PitMutation, Wanted]], points: list[Point]) -> dict[int, list[Point]]:
    """For each mutation the points it may be.

    Code of `finally` is in the bytecode several times. PIT takes the copies for one mutation
    and names all of their indices, or the first: so first copies are looked at first.
    """
    firsts = _items([(mutation.indexes[:1], want) for mutation, want in asked])
    chosen = align_all(firsts, _first_copies(points))
    if chosen is not None:
        found = {item.index: fit for item, fit in zip(firsts, chosen, strict=True)}
    else:
        items = _items([(mutation.indexes, want) for mutation, want in asked])
        found = {item.index: fit for item, fit in zip(items, align(items, points), strict=True)}
    places = {}
    for mutation, want in asked:
        candidates = [point for index in mutation.indexes for point in found.get(index, [])]
        if not mutation.indexes:
            candidates = [point for point in points if point.fits(want)]
        places[mutation.position] = list({point.site: point for point in candidates}.values())
    return places


def _items(asked: list[tuple[tuple[int, ...], Wanted]]) -> list[Item]:
    """What is asked of each index, in the order of the indices."""
    by_index: dict[int, list[Wanted]] = defaultdict(list)
    for indexes, want in asked:
        for index in indexes:
            by_index[index].append(want)
    return [Item(index, tuple(wants)) for index, wants in sorted(by_index.items())]


def _answer(
    analysis: _Analysis, mutation: PitMutation, want: Wanted | None, places: list[Point]
) -> Located:
    if want is None:
        return _lost(f"mutator not supported: {mutator_name(mutation.mutator)[:80]}")
    if not places:
        return _lost(f"line {mutation.line} has no place for: {mutation.description[:120]}")
    if len(places) > 1:
        lines = sorted({analysis.source.tree.line(place.node.start_byte) for place in places})
        where = ", ".join(map(str, lines[:3]))
        return _lost(f"ambiguous: {len(places)} places on line {where} fit")
    try:
        edit = analysis.writer.edit(places[0], want, mutation)
    except NoText as error:
        return _lost(str(error))
    return locate(analysis.source, edit.start, edit.end, edit.text)


def _lost(why: str) -> Located:
    return Located(None, f"not locatable: {why}")
