"""MutantBench's Turtle file: the mutants, their programs and their labels."""

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from equimut.errors import DataError
from equimut.storage.files import read_text

if TYPE_CHECKING:
    from rdflib import Graph
    from rdflib.term import Node

MB = "https://b2share.eudat.eu/records/153db16ce2f6401298a9aea8b0ab9781/"
SCHEMA = "http://schema.org/"
PARSER_ERRORS = (
    AssertionError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What rdflib's Turtle parser raises on broken input besides its own errors."""


@dataclass(frozen=True)
class TurtleMutant:
    """A mutant as the file describes it: a difference to a whole program."""

    name: str
    program: str
    """The file name of the program."""
    language: str
    difference: str
    operators: tuple[str, ...]
    equivalence: frozenset[bool]
    """Usually one value; the file calls a few mutants both equivalent and not."""


def read_turtle(path: Path) -> tuple[TurtleMutant, ...]:
    """Every mutant of the file, ordered by name."""
    from rdflib import RDF, URIRef

    graph = _graph(path)
    subjects = {node: _local(node) for node in graph.subjects(RDF.type, URIRef(f"{MB}Mutant"))}
    mutants = [
        _mutant(graph, node, f"{path}, mutant {name}")
        for node, name in sorted(subjects.items(), key=lambda item: item[1])
    ]
    if not mutants:
        raise DataError(f"{path} describes no mutant; is it MutantBench's dataset.ttl?")
    return tuple(mutants)


def _graph(path: Path) -> "Graph":
    from rdflib import Graph
    from rdflib.exceptions import ParserError

    text = read_text(path)
    remarks = logging.getLogger("rdflib.term")  # it remarks on odd names; errors are clear enough
    level = remarks.level
    remarks.setLevel(logging.ERROR)
    try:
        return Graph().parse(data=text, format="turtle")
    except (*PARSER_ERRORS, SyntaxError, ParserError) as error:
        line = f", line {error.lines + 1}" if hasattr(error, "lines") else ""
        raise DataError(f"{path}{line}: not valid Turtle; fetch the file again") from error
    finally:
        remarks.setLevel(level)


def _mutant(graph: "Graph", node: "Node", where: str) -> TurtleMutant:
    program = _one(_values(graph, node, f"{MB}program"), f"{where}: program")
    operators = sorted(_local(value) for value in _values(graph, node, f"{MB}operator"))
    values = {str(value) for value in _values(graph, node, f"{MB}equivalence")}
    if not values or not values <= {"true", "false"}:
        raise DataError(f"{where}: equivalence must be true or false, found {sorted(values)}")
    file_name, language = (
        str(_one(_values(graph, program, predicate), f"{where}: {name} of its program"))
        for predicate, name in (
            (f"{MB}fileName", "fileName"),
            (f"{SCHEMA}programmingLanguage", "programmingLanguage"),
        )
    )
    difference = _one(_values(graph, node, f"{MB}difference"), f"{where}: difference")
    return TurtleMutant(
        name=_local(node),
        program=file_name,
        language=language,
        difference=str(difference),
        operators=tuple(operators),
        equivalence=frozenset(value == "true" for value in values),
    )


def _values(graph: "Graph", node: "Node", predicate: str) -> list["Node"]:
    from rdflib import URIRef

    return list(graph.objects(node, URIRef(predicate)))


def _one(values: Iterable["Node"], what: str) -> "Node":
    found = list(values)
    if len(found) != 1:
        raise DataError(f"{what} must be given once, found {len(found)}")
    return found[0]


def _local(node: "Node") -> str:
    """The part of a name after its last `#`."""
    return str(node).rpartition("#")[2]
