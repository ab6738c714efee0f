"""Source text to syntax tree. Offsets are bytes of the source as given, whatever was around it."""

from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from itertools import accumulate, islice
from threading import Lock
from time import monotonic
from typing import Any

from tree_sitter import Language, Node, Parser, Query, QueryCursor, Tree

from equimut.errors import ParseError
from equimut.languages import LanguageSpec, get_language

MAX_BYTES = 5 * 1024 * 1024
MAX_SECONDS = 10.0
"""Error recovery can take quadratic time: parsing of what is not source code is given up."""
MAX_ISSUES = 100
"""Syntax errors listed on a tree; a file with more of them is not source code of the language."""
KEPT_BYTES = 1024 * 1024
"""Source text whose trees are kept: a tree takes about 40 bytes of memory for each byte of it."""

_SMALL_BYTES = 16 * 1024  # parsed in a second, whatever it is
_CHUNK_BYTES = 4 * 1024
_FRAGMENT_BYTES = 64 * 1024  # what is longer is a file, not a fragment in need of a wrapper


@dataclass(frozen=True)
class SyntaxIssue:
    """One syntax error: where it starts (1-based, column in characters) and what it is."""

    line: int
    column: int
    message: str


@dataclass(frozen=True, eq=False)
class SyntaxTree:
    """A parsed source. Read a node's text with `text`: `Node.text` is unset in a fragment."""

    source: bytes
    root: Node
    language: LanguageSpec
    read: dict[str, Any] = field(default_factory=dict, repr=False)
    """What was read from the tree, by its name: its tokens. It goes with the tree."""

    def text(self, node: Node) -> str:
        """The source text of a node."""
        return self.source[node.start_byte : node.end_byte].decode()

    @cached_property
    def errors(self) -> tuple[SyntaxIssue, ...]:
        """The first syntax errors, in the order of the text; empty for correct code."""
        faulty = islice(_faulty(self.root), MAX_ISSUES)
        return tuple(sorted({self._issue(node) for node in faulty}, key=_position))

    def line(self, byte: int) -> int:
        """The line (1-based) of a byte offset.

        Not `Node.start_point`: reading points corrupts memory in py-tree-sitter 0.26.0.
        """
        return bisect_left(self._line_breaks, byte) + 1

    @cached_property
    def _line_breaks(self) -> list[int]:
        lines = self.source.split(b"\n")[:-1]
        return [end - 1 for end in accumulate(len(line) + 1 for line in lines)]

    def _issue(self, node: Node) -> SyntaxIssue:
        line_start = self.source.rfind(b"\n", 0, node.start_byte) + 1
        column = len(self.source[line_start : node.start_byte].decode()) + 1
        line = self.line(node.start_byte)
        if node.is_missing:
            return SyntaxIssue(line, column, f"{node.type!r} is missing")
        start = self.text(node).split("\n")[0][:40].strip()
        return SyntaxIssue(line, column, f"unexpected {start!r}" if start else "syntax error")


def parse(source: str | bytes, language: str | LanguageSpec) -> SyntaxTree:
    """Parse a whole file, a bare function or a fragment.

    Raises ParseError for what cannot be source text. Syntax errors do not raise: they are listed
    in `errors`, and the rest of the tree is as good as it gets. The trees used lately are kept, so
    a function that passes several stages is parsed once.
    """
    spec = get_language(language) if isinstance(language, str) else language
    text = checked_bytes(source)
    is_fragment = len(text) <= _FRAGMENT_BYTES
    kept = _KEPT if is_fragment else _KEPT_FILES
    if (known := kept.get(text, spec)) is not None:
        return known
    tree = _parse(text, spec)
    if is_fragment and tree.root_node.has_error:
        tree = min([tree, *(_wrapped(text, spec, pair) for pair in spec.wrappers)], key=_faults)
    made = SyntaxTree(text, tree.root_node, spec)
    kept.put(made)
    return made


class EditParser:
    """Parses many edited versions of one text: what an edit leaves alone is not parsed again."""

    def __init__(self, source: bytes, language: LanguageSpec) -> None:
        self._source = source
        self._language = language
        self._tree = _parse(source, language)

    def parse(self, mutant: bytes, start: int, old_end: int, new_end: int) -> SyntaxTree:
        """What `parse` gives; bytes `start` to `old_end` became `start` to `new_end`.

        Correct code has one tree, however it is found. How the parser recovers from an error
        depends on what it has read before, so what has one is parsed as a whole. The trees are
        not kept: there are many, and few are asked for again.
        """
        if self._tree.root_node.has_error:
            return parse(mutant, self._language)
        old = self._tree.copy()
        ends = (self._source[:start], self._source[:old_end], mutant[:new_end])
        old.edit(start, old_end, new_end, *(_point(text) for text in ends))
        tree = _parse(mutant, self._language, old)
        if tree.root_node.has_error:
            return parse(mutant, self._language)
        return SyntaxTree(mutant, tree.root_node, self._language)


class TreeCache:
    """The trees used lately, as many as their texts fit into a number of bytes."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._bytes = 0
        self._trees: OrderedDict[tuple[bytes, LanguageSpec], SyntaxTree] = OrderedDict()
        self._lock = Lock()

    def get(self, text: bytes, language: LanguageSpec) -> SyntaxTree | None:
        """The tree of a text, which counts as used now."""
        with self._lock:
            tree = self._trees.get((text, language))
            if tree is not None:
                self._trees.move_to_end((text, language))
            return tree

    def put(self, tree: SyntaxTree) -> None:
        """Keep a tree and forget those that were not used for longest."""
        with self._lock:
            if (tree.source, tree.language) not in self._trees:
                self._bytes += len(tree.source)
            self._trees[tree.source, tree.language] = tree
            while self._bytes > self._most:
                (text, _), _ = self._trees.popitem(last=False)
                self._bytes -= len(text)


_KEPT = TreeCache(KEPT_BYTES)
_KEPT_FILES = TreeCache(KEPT_BYTES)  # apart, so that a large file drives no fragment out


def checked_bytes(source: str | bytes) -> bytes:
    """The source as UTF-8, or ParseError for anything that is not text of a sane size."""
    try:
        text = source.encode() if isinstance(source, str) else bytes(source)
        text.decode()
    except UnicodeError as error:
        where = error.start if isinstance(error, UnicodeDecodeError | UnicodeEncodeError) else 0
        raise ParseError(f"not UTF-8 text: invalid bytes at offset {where}; convert it") from None
    if len(text) > MAX_BYTES:
        raise ParseError(f"source of {len(text):,} bytes is over the limit of {MAX_BYTES:,} bytes")
    if b"\0" in text:
        raise ParseError(f"binary data, not source text: NUL at offset {text.index(0)}")
    return text


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it, parents first, in the order of the text."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        if children := current.children:
            stack += children[::-1]


def walk_named(node: Node) -> Iterator[Node]:
    """The same without what has no name in the grammar, such as signs and brackets."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        if children := current.named_children:
            stack += children[::-1]


def nodes_of(tree: SyntaxTree, types: tuple[str, ...]) -> list[Node]:
    """All nodes of these types in a tree, found by the parser's own search: no other is touched."""
    found = QueryCursor(_query(tree.language.grammar, types)).captures(tree.root)
    return found.get(_FOUND, [])


_FOUND = "found"


@cache
def _query(grammar: str, types: tuple[str, ...]) -> Query:
    return Query(_grammar(grammar), f"[{' '.join(f'({name})' for name in types)}] @{_FOUND}")


def depth(node: Node, most: int) -> int:
    """Levels below a node; one that has more than `most` is not looked at further."""
    level, found = [node], -1
    while level and found <= most:
        level, found = [child for one in level for child in one.children], found + 1
    return found


@cache
def _grammar(module: str) -> Language:
    return Language(import_module(module).language())


def _parse(text: bytes, spec: LanguageSpec, old: Tree | None = None) -> Tree:
    # A parser must not be shared between threads, and costs a microsecond.
    parser = Parser(_grammar(spec.grammar))
    known = () if old is None else (old,)
    if len(text) <= _SMALL_BYTES:
        return parser.parse(text, *known)
    deadline = monotonic() + MAX_SECONDS
    late = False

    def read(start: int, _: object) -> bytes:
        # The only safe way to stop the parser is to tell it that the text ends here.
        nonlocal late
        late = late or monotonic() > deadline
        return b"" if late else text[start : start + _CHUNK_BYTES]

    tree = parser.parse(read, *known)
    if late:
        raise ParseError(
            f"not parsed within {MAX_SECONDS:g} seconds: this is hardly {spec.name} source code"
        )
    return tree


def _wrapped(text: bytes, spec: LanguageSpec, wrapper: tuple[str, str]) -> Tree:
    """Parse with text around the source, then edit that text away: all offsets move back."""
    before, after = (part.encode() for part in wrapper)
    tree = _parse(before + text + after, spec)
    zero, gone, end = (0, 0), _point(before), _point(text)
    tree.edit(0, len(before), 0, zero, gone, zero)
    tree.edit(len(text), len(text + after), len(text), end, _point(text + after), end)
    return tree


def _point(text: bytes) -> tuple[int, int]:
    return text.count(b"\n"), len(text) - (text.rfind(b"\n") + 1)


def _faults(tree: Tree) -> int:
    """Bytes inside errors, plus one for every error."""
    return sum(node.end_byte - node.start_byte + 1 for node in _faulty(tree.root_node))


def _faulty(root: Node) -> Iterator[Node]:
    """Outermost error nodes and missing tokens; subtrees without errors are not entered."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.is_error or node.is_missing:
            yield node
        elif node.has_error:
            stack.extend(reversed(node.children))


def _position(issue: SyntaxIssue) -> tuple[int, int]:
    return issue.line, issue.column
