"""The constants of other files, read from the declarations that `neighbours` wrote."""

from dataclasses import replace
from functools import lru_cache

from tree_sitter import Node

from equimut.languages.java.io_api import INHERITED as INHERITED_OF_JDK
from equimut.languages.java.lowering.files.neighbours import IMPORTED, INHERITED, NEARER, QUIET
from equimut.languages.java.lowering.files.signatures import BELOW, TOLD
from equimut.languages.java.lowering.members import ConstantReader, constants_in, enums_of
from equimut.languages.java.lowering.results import fields_of, results_of
from equimut.languages.java.lowering.scopes import Members
from equimut.languages.java.lowering.types import named
from equimut.languages.java.superclasses import reaches_this
from equimut.languages.java.type_bodies import declarations_of
from equimut.languages.lowered import Expr, Lit, Type

Constants = dict[str, dict[str, Expr]]


def with_others(members: Members, root: Node, source: bytes, reader: ConstantReader) -> Members:
    """The members with the constants that names of other files stand for.

    Nothing is said in a class without a name: what it inherits is not known.
    """
    if not members.own:
        return members
    types, bare = _read(root, source, reader)
    members = _below(members, root, source)
    known = {name: mine for name, mine in types.items() if name not in members.declared}
    inherited = bare.get(members.own + INHERITED, {})
    members = _with_types(members, root, source)
    return replace(members, others=known, bare={**bare.get(IMPORTED, {}), **inherited})


def with_nearer(members: Members, root: Node, source: bytes) -> Members:
    """The members where names of the JDK's classes stand for other classes of the project."""
    nearer = frozenset(
        _text(label, source)
        for node in root.named_children
        if (name := node.child_by_field_name("name")) and _text(name, source) == NEARER
        for each in declarations_of(node.child_by_field_name("body") or node)
        if (label := each.child_by_field_name("name")) is not None
    )
    if not nearer:
        return members
    found = replace(members, imports=members.imports | {f".{each}" for each in nearer})
    if members.extended not in nearer:
        return found
    left = INHERITED_OF_JDK.get(members.extended, {})
    fields = {name: each for name, each in members.fields.items() if name not in left}
    return replace(found, initial=(), latent=members.initial or members.latent, fields=fields)


def _with_types(members: Members, root: Node, source: bytes) -> Members:
    """The members with the types that other files declare."""
    told, results, fields = results_of(root, source), {}, dict[str, Type]()
    for node in root.named_children:
        label = node.child_by_field_name("name")
        name = _text(label, source) if label is not None else ""
        if name.endswith(TOLD):
            results[name.removesuffix(TOLD)] = told.get(name, {})
        elif name == members.own + BELOW:
            results["super"], fields = told.get(name, {}), fields_of(node, source)
    told = {name: mine for name, mine in results.items() if name not in members.declared}
    return replace(
        members, results={**told, **members.results}, told=frozenset(told), inherited=fields
    )


def _below(members: Members, root: Node, source: bytes) -> Members:
    """The members of a class whose superclass leaves new objects alone, as its file tells."""
    for node in root.named_children if members.latent else ():
        label, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if label is None or body is None or _text(label, source) != members.own + QUIET:
            continue
        inside = (each.child_by_field_name("name") for each in declarations_of(body))
        names = frozenset(_text(each, source) for each in inside if each is not None)
        values = [value for _, value in members.latent if value is not None]
        if not any(reaches_this(each, members.source, names) for each in values):
            return replace(
                members, initial=members.latent, declared=members.declared | names,
                above=members.extended,
            )  # fmt: skip
    return members


def _text(node: Node, source: bytes) -> str:
    return source[node.start_byte : node.end_byte].decode()


@lru_cache(maxsize=8)
def _read(root: Node, source: bytes, reader: ConstantReader) -> tuple[Constants, Constants]:
    """By the name of a class; and for each class, what bare names stand for there."""
    types: Constants = {}
    bare: Constants = {}
    for node in root.named_children:
        label, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if label is None or body is None:
            continue
        name = source[label.start_byte : label.end_byte].decode()
        if name.endswith((QUIET, TOLD, BELOW, NEARER)):
            continue
        if name.endswith((INHERITED, IMPORTED)):
            bare[name] = {}
            for inner in declarations_of(body):
                mine, inside = inner.child_by_field_name("name"), inner.child_by_field_name("body")
                if mine is not None and inside is not None:
                    word = source[mine.start_byte : mine.end_byte].decode()
                    found = constants_in(inside, source, reader)
                    bare[name] |= {word: found[word]} if word in found else {}
            continue
        labels = enums_of(node, source).get(name, ())
        constants: dict[str, Expr] = {
            each: Lit(named(name), ("enum", name, each)) for each in labels
        }
        types[name] = {**constants, **constants_in(body, source, reader)}
    return types, bare
