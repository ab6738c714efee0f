"""A changed function put back into its program, so that it can run.

Methods that cannot be reached by name are left out of classes, and so are imports of what was
not published: neither takes part in the run, and the rest then compiles on its own.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from equimut.data.audit.entries import Entry
from equimut.errors import DataError
from equimut.oracle.backend import WholePrograms
from equimut.oracle.judging import backend_for
from equimut.parsing.functions import Function, functions
from equimut.parsing.tokens import remove_comments
from equimut.parsing.tree import parse
from equimut.storage.files import read_text

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


def whole_programs(language: str) -> WholePrograms | None:
    """How functions of a language stand in programs; None: they are run on their own."""
    return backend_for(language).programs


def named_in(program: str, language: str, origin: str) -> str | None:
    """The name of the function in the program that has this text, up to indentation."""
    found = _find(program, language, origin)
    return found.name if found is not None else None


def reduced(program: str, language: str, texts: Iterable[str]) -> str:
    """A class without comments and without what these texts cannot reach; else as it is."""
    form = whole_programs(language)
    if form is None or not form.members:
        return program
    program = remove_comments(program, language)
    if form.unpublished is not None:
        program = form.unpublished.sub("", program)
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
    edited, form = _edited(program, language, edits), whole_programs(language)
    if edited is None or form is None:
        return None
    call = entry.text(form, within_domain)
    if form.members:
        return f"{_with_member(edited, call)}\n{entry.after}\n"
    return f"{entry.before}{_repaired(edited, form)}\n{call}\n{entry.after}"


def through_function(program: str, language: str, origin: str, replacement: str) -> str | None:
    """The program with the function replaced; a member moves to the end of its class.

    Being last tells it apart from overloads of the same name.
    """
    found, form = _find(program, language, origin), whole_programs(language)
    if found is None or form is None:
        return None
    before, after = (part.decode() for part in _around(program.encode(), found))
    if form.members:
        return _with_member(before + after, replacement)
    return _repaired(before + replacement + after, form)


def _around(source: bytes, function: Function) -> tuple[bytes, bytes]:
    return source[: function.start], source[function.end :]


def _flat(text: str) -> str:
    return "\n".join(line.strip() for line in text.split("\n") if line.strip())


def _find(program: str, language: str, origin: str) -> Function | None:
    return _by_text(program, language).get(_flat(_bare(origin, language)))


def _bare(text: str, language: str) -> str:
    """The text as `reduced` leaves it: without comments where it takes them out."""
    form = whole_programs(language)
    return remove_comments(text, language) if form is not None and form.members else text


@lru_cache(maxsize=8)
def _by_text(program: str, language: str) -> Mapping[str, Function]:
    """The functions of a program by their text; of two with the same text, the first."""
    program = _bare(program, language)
    source = program.encode()
    found = functions(parse(program, language))
    return {_flat(source[f.start : f.end].decode()): f for f in reversed(found)}


def _edited(program: str, language: str, edits: Edits) -> str | None:
    looked_up = [(_find(program, language, origin), text) for origin, text in edits.items()]
    source = program.encode()
    found = [(function, text) for function, text in looked_up if function is not None]
    if len(found) < len(looked_up):
        return None
    for function, text in sorted(found, key=lambda item: -item[0].start):
        source = text.encode().join(_around(source, function))
    return source.decode()


def _repaired(program: str, form: WholePrograms) -> str:
    for pattern, replacement in form.repairs:
        program = pattern.sub(replacement, program)
    return program


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
