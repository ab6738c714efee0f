"""`equimut oracle`: run origin and mutant, and say what is known with the evidence."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equimut.cli.console import print_json, print_line, print_note
from equimut.cli.options import (
    AsJson,
    ProjectClasspath,
    ProjectCommands,
    ProjectIncludes,
    ProjectJUnit,
    ProjectPython,
)

if TYPE_CHECKING:
    from equimut.oracle.project import ProjectSettings
    from equimut.oracle.verdicts import Behaviour, OracleSettings, OracleVerdict, Witness

WIDTH = 11
PROOFS = {
    "tokens": "both sources have the same tokens",
    "compile": "both compile to the same code",
    "exhaustive": "the whole input domain was tried",
}


def oracle(
    origin: Annotated[Path | None, typer.Argument(help="File with the origin.")] = None,
    mutant: Annotated[Path | None, typer.Argument(help="File with the mutant.")] = None,
    language: Annotated[
        str | None, typer.Option(help="java, c or python; by the file's suffix when not given.")
    ] = None,
    function: Annotated[
        str | None, typer.Option(help="The function under test; the last one when not given.")
    ] = None,
    inputs: Annotated[int, typer.Option(min=1, max=1_000_000, help="Inputs to try.")] = 5_000,
    seed: Annotated[int, typer.Option(help="Mixed with the text of the origin.")] = 0,
    as_json: AsJson = False,
    save: Annotated[Path | None, typer.Option(help="Write the witness to this file.")] = None,
    test: Annotated[
        bool,
        typer.Option(
            "--test", help="Print a test that kills the mutant; ORIGIN stays where it is."
        ),
    ] = False,
    python: ProjectPython = None,
    classpath: ProjectClasspath = None,
    junit: ProjectJUnit = 5,
    compile_commands: ProjectCommands = None,
    include: ProjectIncludes = None,
    replay: Annotated[
        Path | None, typer.Option(help="Run a saved witness again, both sides.")
    ] = None,
) -> None:
    """Decide whether a mutant is equivalent by running it next to its origin.

    This executes the code of both files, in a child process with limits on time and memory and
    without a network where the system permits (see docs/oracle.md).
    """
    from equimut.oracle.verdicts import OracleSettings

    if replay is not None:
        _replay(replay, as_json)
        return
    if origin is None or mutant is None:
        raise typer.BadParameter("give ORIGIN and MUTANT, or --replay WITNESS")
    settings = OracleSettings(inputs=inputs, seed=seed, function=function)
    if test:
        from equimut.oracle.project import project_at

        project = project_at(
            origin.resolve().parent, python, None, classpath, junit, compile_commands, include or ()
        )
        _suggest(origin, mutant, _language(language, origin), settings, project)
        return
    _judge(origin, mutant, _language(language, origin), settings, as_json, save)


def _language(name: str | None, path: Path) -> str:
    from equimut.languages import get_language, language_of_path

    return get_language(name).name if name else language_of_path(path).name


def _judge(
    origin: Path,
    mutant: Path,
    language: str,
    settings: "OracleSettings",
    as_json: bool,
    save: Path | None,
) -> None:
    from equimut.errors import OracleError
    from equimut.oracle.judging import judge
    from equimut.oracle.verdicts import WitnessFile
    from equimut.oracle.witness_files import save_witness
    from equimut.parsing.tree import checked_bytes

    texts = [checked_bytes(path.read_bytes()).decode() for path in (origin, mutant)]
    verdict = judge(texts[0], texts[1], language, settings)
    if verdict.fault in ("origin", "mutant"):
        blamed = origin if verdict.fault == "origin" else mutant
        raise OracleError(f"{blamed}: {verdict.reason}")
    if as_json:
        print_json(verdict.model_dump(mode="json"))
    else:
        _show(verdict)
    if not verdict.network_isolated:
        print_note("note: this system did not let the code run without a network")
    if save is not None and verdict.witness is None:
        print_note(f"note: no witness to save, {save} is not written")
    elif save is not None and verdict.witness is not None:
        file = WitnessFile(
            language=language,
            settings=settings,
            origin_source=texts[0],
            mutant_source=texts[1],
            witness=verdict.witness,
        )
        save_witness(file, save)
        print_note(f"witness saved; run it again with: equimut oracle --replay {save}")
    if verdict.tier == "unknown":
        raise typer.Exit(3)


def _suggest(
    origin: Path,
    mutant: Path,
    language: str,
    settings: "OracleSettings",
    project: "ProjectSettings",
) -> None:
    from equimut.errors import NothingToAnalyse, OracleError
    from equimut.oracle.judging import backend_for
    from equimut.oracle.project import FileMutant
    from equimut.parsing.tree import checked_bytes
    from equimut.reports.locating import edit_between

    judge_file = backend_for(language).judge_file
    if judge_file is None:
        raise OracleError(f"no tests are written for {language} yet")
    before, after = (checked_bytes(path.read_bytes()) for path in (origin, mutant))
    if before == after:
        raise OracleError(f"{mutant}: the same text as {origin}")
    start, end, new = edit_between(before, after)
    change = FileMutant(start=start, end=end, replacement=new, function=before.decode())
    answer = judge_file(project, origin.resolve(), before.decode(), [change], settings)
    if answer.tests:
        print_line(answer.tests[0].alone)
        return
    (verdict,) = answer.verdicts
    if verdict.tier == "killed":
        _show(verdict)
    raise NothingToAnalyse(answer.note or verdict.reason or "no input tells them apart: no test")


def _line(label: str, text: str) -> None:
    print_line(f"  {label:{WIDTH}}{text}")


def _show(verdict: "OracleVerdict") -> None:
    headings = {
        "killed": "killed: one input tells them apart",
        "proved": f"proved equivalent: {PROOFS.get(verdict.proof or '', '')}",
        "unrefuted": "unrefuted: no input told them apart",
        "unknown": f"unknown: {verdict.reason}",
    }
    print_line(headings[verdict.tier])
    if verdict.witness is not None:
        _show_input(verdict.witness)
        _line("origin", _sentence(verdict.witness.origin))
        _line("mutant", _sentence(verdict.witness.mutant))
    if verdict.inputs:
        dropped = f", {verdict.dropped:,} outside the origin's domain" if verdict.dropped else ""
        _line("tried", f"{verdict.inputs:,} input{'s' * (verdict.inputs != 1)}{dropped}")


def _show_input(witness: "Witness") -> None:
    from json import dumps

    if witness.call:
        _line("call", witness.call)
        return
    pairs = zip(witness.parameters, witness.arguments, strict=True)
    texts = [f"{name} = {dumps(value)}" for name, value in pairs]
    _line("input", ", ".join(texts) or "(no parameters)")


def _sentence(behaviour: "Behaviour") -> str:
    rest = " ".join(part for part in (behaviour.value, behaviour.detail) if part)
    parts = [f"{behaviour.outcome} {rest}".strip()]
    if behaviour.arguments:
        parts.append(f"arguments then {', '.join(behaviour.arguments)}")
    if behaviour.output:
        parts.append(f"prints {behaviour.output!r}")
    if behaviour.errors:
        parts.append(f"prints {behaviour.errors!r} to standard error")
    return "; ".join(parts)


def _replay(path: Path, as_json: bool) -> None:
    from equimut.errors import GateFailed, OracleError
    from equimut.oracle.judging import replay
    from equimut.oracle.witness_files import load_witness

    file = load_witness(path)
    try:
        now = replay(file)
    except OracleError as error:
        raise OracleError(f"{path}: {error}") from error
    if as_json:
        print_json(now.model_dump(mode="json"))
    else:
        _show_input(now)
        _side_by_side(now)
    if now.origin == now.mutant:
        raise GateFailed(f"{path}: origin and mutant behave the same on this input now")
    if now != file.witness:
        print_note("note: they differ, but not in the way that was recorded")


def _side_by_side(witness: "Witness") -> None:
    sides = (witness.origin, witness.mutant)
    rows = [("", "origin", "mutant"), ("outcome", *(side.outcome for side in sides))]
    rows.append(("result", *(side.value for side in sides)))
    rows.append(("detail", *(side.detail for side in sides)))
    rows.append(("arguments", *(", ".join(side.arguments) for side in sides)))
    rows.append(("output", *(repr(side.output) if side.output else "" for side in sides)))
    rows.append(("errors", *(repr(side.errors) if side.errors else "" for side in sides)))
    kept = [row for row in rows if row[1] or row[2]]
    wide = max(len(row[1]) for row in kept)
    for label, left, right in kept:
        mark = "" if left == right or not label else "   <-- differs"
        _line(label, f"{left:{wide}}  {right}{mark}")
