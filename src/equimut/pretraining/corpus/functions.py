"""Source files to functions as the model sees them: no comments, no docstrings, no blank lines."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from textwrap import dedent

from tree_sitter import Node

from equimut.errors import ParseError
from equimut.languages import get_language
from equimut.parsing.functions import Function, functions
from equimut.parsing.tokens import Token, tokenize
from equimut.parsing.tree import SyntaxTree, parse, walk
from equimut.pretraining.corpus.sources import SourceFile, wanted_content
from equimut.records import NonEmpty, Record

MIN_TOKENS, MAX_TOKENS = 20, 400
"""Shorter ones are getters, setters and forwarders; longer ones do not fit the encoder."""

_MAX_BYTES = 12_000
_LONGEST_TOKEN = 200
_PIECE = re.compile(r"\w+|[^\w\s]")
_CONTINUED = re.compile(r"[ \t]*\\\n[ \t]*")
_DIRECTIVE = re.compile(r"^[ \t]*#", re.M)


class CorpusFunction(Record):
    """One function of the corpus and where it comes from."""

    language: NonEmpty
    package: NonEmpty
    path: NonEmpty
    name: str
    text: NonEmpty


@dataclass(frozen=True)
class FoundFunction:
    """A function of the corpus with its code tokens."""

    function: CorpusFunction
    tokens: tuple[str, ...]


def functions_of(file: SourceFile, dropped: Counter[str]) -> Iterator[FoundFunction]:
    """The functions of a file that belong in a corpus; what does not is counted by its reason."""
    content = file.location.read_bytes()
    if not wanted_content(content):
        dropped["file: generated, minified or too long"] += 1
        return
    try:
        tree = parse(content.replace(b"\r\n", b"\n"), file.language)
        found = functions(tree)
    except ParseError:
        dropped["file: not readable as source code"] += 1
        return
    end = 0
    for function in found:
        if function.start < end:  # inside one that was taken
            continue
        try:
            text, words = _cleaned(tree.source, function, file.language)
        except _Unfit as reason:
            dropped[f"function: {reason}"] += 1
            continue
        end = function.end
        record = CorpusFunction(
            language=file.language,
            package=file.package,
            path=file.path,
            name=function.name,
            text=text,
        )
        yield FoundFunction(record, words)


class _Unfit(Exception):
    """Why a function does not belong in the corpus."""


def _cleaned(source: bytes, function: Function, language: str) -> tuple[str, tuple[str, ...]]:
    """The text and the tokens of a function."""
    if function.end - function.start > _MAX_BYTES:
        raise _Unfit("too long")
    line = source.rfind(b"\n", 0, function.start) + 1
    start = line if source[line : function.start].isspace() else function.start
    text = dedent(source[start : function.end].decode())
    # Every token is at least one of these pieces: most short functions need not be parsed.
    if len(_PIECE.findall(text)) < MIN_TOKENS:
        raise _Unfit("too short")
    spec = get_language(language)
    if spec.lexicon.preprocessor and _DIRECTIVE.search(text):
        raise _Unfit("preprocessor inside")
    tree = parse(text, language)
    if tree.root.has_error:
        raise _Unfit("syntax error")
    tokens = tokenize(tree)
    if spec.corpus.docstrings:
        tokens = _without_docstrings(tree, tokens)
    if not MIN_TOKENS <= len(tokens) <= MAX_TOKENS:
        raise _Unfit("too short" if len(tokens) < MIN_TOKENS else "too long")
    if any(token.end - token.start > _LONGEST_TOKEN for token in tokens):
        raise _Unfit("data in a literal")
    return _text(tree.source, tokens), tuple(token.text for token in tokens)


def _text(source: bytes, tokens: Sequence[Token]) -> str:
    """The tokens with the white space between them: no comments, no blank lines."""
    pieces = [tokens[0].text]
    for before, token in pairwise(tokens):
        gap = source[before.end : token.start].decode()
        pieces += [_bare(gap), token.text]
    return "".join(pieces)


def _bare(gap: str) -> str:
    """A gap between tokens, which holds white space and comments, as white space alone."""
    if not gap or gap == " ":
        return gap
    _, line_break, last = gap.rpartition("\n")
    if not line_break:
        return " "
    if _CONTINUED.fullmatch(gap):  # in C; in Python the backslash is a token
        return gap
    return "\n" + last[: len(last) - len(last.lstrip())]


def _without_docstrings(tree: SyntaxTree, tokens: Sequence[Token]) -> tuple[Token, ...]:
    """The tokens without strings that open a body: prose, not code."""
    opening = {node.start_byte: node for node in walk(tree.root) if _is_docstring(node)}
    kept = []
    for token in tokens:
        node = opening.get(token.start)
        if node is None:
            kept.append(token)
        elif node.parent is not None and node.parent.named_child_count == 1:
            kept.append(token._replace(text="pass"))  # an empty body would be an error
    return tuple(kept)


def _is_docstring(node: Node) -> bool:
    if node.type != "expression_statement" or node.child_count != 1:
        return False
    parent = node.parent
    return (
        node.children[0].type == "string"
        and parent is not None
        and parent.type == "block"
        and parent.named_children[0] == node
    )
