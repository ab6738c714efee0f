"""`equimut prove`: a proof that a mutant is equivalent, and what it rests on."""

from pathlib import Path
from typing import Annotated

import typer

from equimut.cli.console import print_json, print_line
from equimut.cli.options import AsJson


def prove(
    origin: Annotated[Path, typer.Argument(help="File with the origin: one function.")],
    mutant: Annotated[Path, typer.Argument(help="File with the mutant.")],
    language: Annotated[
        str | None, typer.Option(help="java, c or python; by the file's suffix when not given.")
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(help="The whole file of the origin: its fields, constants and functions."),
    ] = None,
    line: Annotated[
        int | None, typer.Option(help="Line of --file where the origin begins, if it is not clear.")
    ] = None,
    source: Annotated[
        Path | None,
        typer.Option(help="Root of the sources: constants of other files that --file names."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Prove a mutant equivalent from its text: by a rule, or by a solver.

    Nothing is run. No proof says nothing: the mutant may be equivalent or not.

    Example: equimut prove Origin.java Mutant.java --file src/Stack.java
    """
    from equimut.languages import get_language, language_of_path
    from equimut.proofs import proving
    from equimut.proofs.smt.explaining import sentence
    from equimut.proofs.smt.prover import Answer
    from equimut.proofs.smt.proving import compare, locate
    from equimut.reports.sources import SourceTree
    from equimut.storage.files import read_text

    name = get_language(language).name if language else language_of_path(origin).name
    texts = read_text(origin), read_text(mutant)
    whole = read_text(file) if file is not None else None
    if whole is not None:
        locate(texts[0], name, whole, line)
    others = None
    if whole is not None and source is not None:
        others = proving.constants_of_others(whole, name, SourceTree(source))
    rule = proving.prove(*texts, name, whole)
    answer = Answer()
    if rule is None:
        answer = compare(*texts, name, file=whole, line=line, others=others)
    proof = answer.proof
    if as_json:
        print_json(
            {
                "proved": rule is not None or proof is not None,
                "rule": rule.name if rule else None,
                "reason": rule.reason if rule else None,
                "sentence": sentence(proof) if proof else None,
                "scope": proof.scope if proof else None,
                "facts": list(proof.facts) if proof else [],
                "assumptions": list(proof.assumptions) if proof else [],
                "state": answer.state,
            }
        )
    elif rule is not None:
        print_line(f"proved equivalent by the rule {rule.name}: {rule.reason}")
    elif proof is not None:
        print_line(f"proved equivalent: {sentence(proof)}")
        for words in proof.assumptions:
            print_line(f"  assuming that {words}")
    else:
        print_line("no proof: the mutant may be equivalent or not")
