"""A changed function put back into its program, so that it can run.

Methods that cannot be reached by name are left out of Java classes, and so are imports of what
was not published: neither takes part in the run, and the rest then compiles on its own.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from equimut.data.audit.entries import Entry
from equimut.errors import DataError
from equimut.parsing.functions import Function, functions
from equimut.parsing.tokens import remove_comments
from equimut.parsing.tree import parse
from equimut.storage.files import read_text

FOREIGN_IMPORT = re.compile(r"^\s*import\s+(?!java\.|javax\.)[\w.*]+\s*;", re.M)
MISSING_HEADER = re.compile(r'^\s*#\s*include\s*["<]conio\.h[">].*$', re.M)
LABELLED_ENDIF = re.compile(r"^([ \t]*#[ \t]*endif)[ \t]+\w+[ \t]*$", re.M)
# C lets `main` end without a return; under another name that would be undefined.
BARE_MAIN = re.compile(r"^(?:main(?=\s*\()|int main(?=\s*\(\s*void\s*\)))", re.M)
WORD = re.compile(r"[A-Za-z_]\w*")

Edits = Mapping[str, str]
"""Origin functions and what takes their place."""


def find_program(name: str, directories: Sequence[Path]) -> str | None:
    """The text of a program; its name comes from a dataset, so it may not lead elsewhere."""
    if not name or name in (".", "..") or "/" in name or "\\" in name or "\0" in name:
        return None
    for directory in directories:
        path = directory / name
        if path.is_file() and path.resolve().parent == directory.resolve():
            try:
                return read_text(path)
            except DataError:
                return None  # not UTF-8: judged as if it were not there
    return None


def named_in(program: str, language: str, origin: str) -> str | None:
    """The name of the function in the program that has this text, up to indentation."""
    found = _place(program, language, origin)
    return found.name if found is not None else None


def reduced(program: str, language: str, texts: Iterable[str]) -> str:
    """A Java file without comments and without what these texts cannot reach; C as it is."""
    if language != "java":
        return program
    program = FOREIGN_IMPORT.sub("", remove_comments(program, language))
    found = functions(parse(program, language))
    # A function inside another (of an anonymous class) goes where that one goes.
    outer = [f for f in found if not any(g.start <= f.start and f.end < g.end for g in found)]
    source = program.encode()
    bodies = {f: source[f.start : f.end].decode() for f in outer}
    wanted = {word for text in (*texts, *_between(source, outer)) for word in WORD.findall(text)}
    kept: set[Function] = set()
    while fresh := {f for f in outer if f not in kept and f.name in wanted}:
        kept |= fresh
        wanted |= {word for f in fresh for word in WORD.findall(bodies[f])}
    for function in sorted(set(outer) - kept, key=lambda f: -f.start):
        source = source[: function.start] + source[function.end :]
    return source.decode()


def through_entry(
    program: str, language: str, edits: Edits, entry: Entry, within_domain: bool
) -> str | None:
    """The edited program with the way in added; None when an origin is not in the program."""
    edited = _edited(program, language, edits)
    if edited is None:
        return None
    call = entry.text(language, within_domain)
    if language == "java":
        return f"{_with_member(edited, call)}\n{entry.after}\n"
    return f"{entry.before}{_plain_c(edited)}\n{call}\n{entry.after}"


def through_function(program: str, language: str, origin: str, replacement: str) -> str | None:
    """The program with the function replaced; in Java it moves to the end of its class.

    Being last tells it apart from overloads of the same name.
    """
    place = _place(program, language, origin)
    if place is None:
        return None
    source = program.encode()
    if language == "java":
        rest = (source[: place.start] + source[place.end :]).decode()
        return _with_member(rest, replacement)
    return _plain_c((source[: place.start] + replacement.encode() + source[place.end :]).decode())


def _flat(text: str) -> str:
    return "\n".join(line.strip() for line in text.split("\n") if line.strip())


def _place(program: str, language: str, origin: str) -> Function | None:
    if language == "java":  # `reduced` has taken the comments out of the program
        origin = remove_comments(origin, language)
    return _places(program, language).get(_flat(origin))


@lru_cache(maxsize=8)
def _places(program: str, language: str) -> Mapping[str, Function]:
    """The functions of a program by their text; of two with the same text, the first."""
    if language == "java":
        program = remove_comments(program, language)
    source = program.encode()
    found = functions(parse(program, language))
    return {_flat(source[f.start : f.end].decode()): f for f in reversed(found)}


def _edited(program: str, language: str, edits: Edits) -> str | None:
    places = [(_place(program, language, origin), text) for origin, text in edits.items()]
    source = program.encode()
    found = [(place, text) for place, text in places if place is not None]
    if len(found) < len(places):
        return None
    for place, text in sorted(found, key=lambda item: -item[0].start):
        source = source[: place.start] + text.encode() + source[place.end :]
    return source.decode()


def _plain_c(program: str) -> str:
    """What the published C takes for granted, said in a way that compiles today."""
    program = MISSING_HEADER.sub("", program)
    return BARE_MAIN.sub("void main", LABELLED_ENDIF.sub(r"\1", program))


def _with_member(program: str, member: str) -> str:
    end = program.rindex("}")
    return f"{program[:end]}\n{member}\n}}\n"


def _between(source: bytes, outer: Sequence[Function]) -> Iterator[str]:
    """The text outside all functions: fields, initialisers, the class's own header."""
    at = 0
    for function in sorted(outer, key=lambda f: f.start):
        yield source[at : function.start].decode()
        at = function.end
    yield source[at:].decode()
