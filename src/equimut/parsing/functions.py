"""Functions of a source, and whether texts are code."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tree_sitter import Node

from equimut.languages.spec import Part
from equimut.parsing.lexical import Span, blanked, lexical_functions
from equimut.parsing.text_diff import code_tokens
from equimut.parsing.tree import SyntaxIssue, SyntaxTree, nodes_of, parse


@dataclass(frozen=True)
class Function:
    """A function or method: its name and its place (bytes; lines 1-based, inclusive)."""

    name: str
    start: int
    end: int
    start_line: int
    end_line: int
    lexical: bool
    """Found by its shape in the text, not by the grammar."""
    owner: str = ""
    """The classes and functions it stands in, from the outside: `Outer.Inner`. The second of two
    equal functions in one place has a number: `Outer#2`."""


def functions(tree: SyntaxTree) -> tuple[Function, ...]:
    """All functions, in the order of the text; an outer one before those inside it."""
    nodes = list(_scope_nodes(tree))
    found = _by_grammar(tree, nodes)
    broken, nested = tree.root.has_error, tree.language.lexicon.nested_functions
    # The C grammar takes some K&R functions for a declaration and a stray block, without an error.
    if broken or not nested:
        found = _merged(found, _by_shape(tree), nested=nested, broken=broken)
    found.sort(key=lambda function: (function.start, -function.end))
    classes = [_span(tree, node) for node in nodes if node.type in tree.language.class_types]
    return tuple(_owned(found if nested else list(_outermost(found)), classes, tree))


def _owned(found: list[Function], classes: list[Span], tree: SyntaxTree) -> Iterator[Function]:
    """The functions with their owners."""
    scopes = classes + [Span(each.name, each.start, each.end) for each in found]
    around: list[Span] = []
    owners: dict[tuple[int, int], str] = {}
    for scope in sorted(scopes, key=lambda scope: (scope.start, -scope.end)):
        while around and around[-1].end < scope.end:
            around.pop()
        owners[scope.start, scope.end] = ".".join(outer.name for outer in around)
        around.append(scope)
    heads: dict[tuple[str, str], Counter[bytes]] = {}
    for each in found:
        group = heads.setdefault((owners[each.start, each.end], each.name), Counter())
        group[_head(each, tree)] += 1
    met: Counter[tuple[object, ...]] = Counter()
    for each in found:
        owner = owners[each.start, each.end]
        group = heads[owner, each.name]
        if group.total() > 1 and (group[b""] or group[_head(each, tree)] > 1):
            text = tree.source[each.start : each.end].decode()
            same = owner, each.name, code_tokens(text, tree.language.name)
            met[same] += 1
            owner += f"#{met[same]}" * (met[same] > 1)
        yield replace(each, owner=owner)


def _head(function: Function, tree: SyntaxTree) -> bytes:
    """What functions with the same tokens share, and overloads do not: cheaper than the tokens.

    The text before the first brace without white space; nothing where a comment may be in it.
    """
    before = tree.source[function.start : function.end].partition(b"{")[0]
    return b"" if b"/" in before or b"#" in before else b"".join(before.split())


def _by_grammar(tree: SyntaxTree, nodes: list[Node]) -> list[Function]:
    return [
        Function(
            _span(tree, node).name,
            node.start_byte,
            node.end_byte,
            tree.line(node.start_byte),
            tree.line(node.end_byte),
            lexical=False,
        )
        for node in nodes
        if node.type in tree.language.function_types
    ]


def _span(tree: SyntaxTree, node: Node) -> Span:
    spec = tree.language
    part = spec.function_types.get(node.type) or spec.class_types[node.type]
    return Span(tree.text(declared_name(node, part)), node.start_byte, node.end_byte)


def _scope_nodes(tree: SyntaxTree) -> Iterator[Node]:
    """The nodes of functions and classes."""
    spec = tree.language
    if spec.lexicon.nested_functions:  # anywhere in the tree
        yield from nodes_of(tree, (*spec.function_types, *spec.class_types))
        return
    stack = [tree.root]
    while stack:
        node = stack.pop()
        is_function = node.type in spec.function_types
        if is_function or node.type in spec.class_types:
            yield node
        if not is_function or spec.lexicon.nested_functions or node.has_error:
            stack.extend(reversed(node.children))


def _by_shape(tree: SyntaxTree) -> list[Function]:
    return [
        Function(
            span.name,
            span.start,
            span.end,
            tree.line(span.start),
            tree.line(span.end),
            lexical=True,
        )
        for span in lexical_functions(tree.source, tree.language.lexicon)
    ]


def _merged(
    grammar: list[Function], shape: list[Function], *, nested: bool, broken: bool
) -> list[Function]:
    """Both readings of a text, each function once.

    Where they agree on the end, the grammar's reading stays. In a text with syntax errors where
    functions cannot nest, an overlap means that error recovery went astray: the shape is right.
    """
    ends = {function.end for function in grammar}
    news = [function for function in shape if function.end not in ends]
    if nested:
        named: dict[str, list[Function]] = {}
        for function in grammar:
            named.setdefault(function.name, []).append(function)
        return grammar + [new for new in news if not _overlaps(new, named.get(new.name, []))]
    if broken:
        return [old for old in grammar if not _overlaps(old, news)] + news
    return grammar + [new for new in news if not _overlaps(new, grammar)]


def _outermost(found: list[Function]) -> Iterator[Function]:
    """Error recovery may see a function in a statement: `if (a) { ... }` after a macro."""
    end = 0
    for function in found:
        if function.start >= end:
            end = function.end
            yield function


def _overlaps(function: Function, others: list[Function]) -> bool:
    """Whether the last of the others that starts before the function's end reaches into it."""
    at = bisect_left(others, function.end, key=lambda other: other.start) - 1
    return at >= 0 and others[at].end > function.start


def declared_name(node: Node, part: Part) -> Node:
    """Follow declarators down to the name: `f` in C's `static char *f(int a)`."""
    while node.children:
        inner = node.child_by_field_name(str(part))
        named = node.named_children
        if inner is None and not named:
            break
        node = inner if inner is not None else named[0]
    return node


def added_error(origin: SyntaxTree, mutant: SyntaxTree) -> SyntaxIssue | None:
    """The first syntax error of the mutant, if it has more of them than the origin."""
    errors = mutant.errors
    return errors[0] if len(errors) > len(origin.errors) else None


def syntax_problem(origin: str, mutant: str, language: str) -> str:
    """Which of the two is no code, and why; empty where both are.

    Macros and old headers are errors to a grammar and none to a compiler: where there is a
    preprocessor, an origin that has the shape of a function will do.
    """
    before, after = parse(origin, language), parse(mutant, language)
    for name, tree in (("origin", before), ("mutant", after)):
        if not tree.source.strip():
            return f"the {name} is empty"
    if before.errors and not _has_shape(before):
        return f"the origin has a syntax error: {_told(before.errors[0])}"
    added = added_error(before, after)
    return "" if added is None else f"the mutant has a syntax error: {_told(added)}"


def _has_shape(tree: SyntaxTree) -> bool:
    lexicon = tree.language.lexicon
    if not lexicon.preprocessor or not lexical_functions(tree.source, lexicon):
        return False
    code = blanked(tree.source, lexicon)
    return code.count(b"{") == code.count(b"}")


def _told(issue: SyntaxIssue) -> str:
    return f"line {issue.line}, column {issue.column}: {issue.message}"
