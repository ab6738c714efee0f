"""`equimut data bundled`, `evidence` and `build-bundled`: the verified benchmark."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equimut.cli.console import print_json, print_note

if TYPE_CHECKING:
    from equimut.data.benchmark.build import BuiltLanguage
    from equimut.data.store import VerifiedPair

Language = Annotated[
    str | None, typer.Option("--language", help="java, c or python (default: all three).")
]


def bundled(
    language: Language = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Write the pairs (.jsonl or .jsonl.gz)."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show the verified benchmark that ships with equimut, or write its pairs to a file.

    Wherever a command takes PAIRS, `bundled`, `bundled:java`, `bundled:c` and `bundled:python`
    name it directly.
    """
    from equimut.data.benchmark.reader import BENCHMARK_LANGUAGES, PREFIX, summarise
    from equimut.data.pairs import load_pairs

    if out is not None:
        from equimut.data.store import write_pairs

        number = write_pairs(out, load_pairs(f"{PREFIX}:{language}" if language else PREFIX))
        typer.echo(f"{out}: {number} pairs")
        return
    summaries = [summarise(name) for name in ([language] if language else BENCHMARK_LANGUAGES)]
    if as_json:
        print_json([summary.model_dump() for summary in summaries])
        return
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table = Table(title="verified benchmark", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for name in type(summaries[0]).model_fields:
        table.add_column(name, justify="left" if name == "language" else "right")
    for summary in summaries:
        values = summary.model_dump().values()
        table.add_row(*(f"{v:,}" if isinstance(v, int) else v for v in values))
    Console().print(table)


def evidence(
    identity: Annotated[
        str | None, typer.Argument(metavar="ID", help="The id of a bundled mutant.")
    ] = None,
    sample: Annotated[
        int, typer.Option("--sample", metavar="N", min=0, help="Show N mutants instead.")
    ] = 0,
    seed: Annotated[int, typer.Option(help="Chooses the sample.")] = 0,
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help="Write the witness for `oracle --replay`."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show bundled mutants: the change, the label, and what the label rests on."""
    from equimut.data.benchmark.reader import find_bundled, sample_bundled

    if (identity is None) == (sample == 0) or (save is not None and identity is None):
        raise typer.BadParameter("give the ID of one mutant, or --sample N (without --save)")
    pairs = sample_bundled(sample, seed) if identity is None else [find_bundled(identity)]
    if save is not None:
        from equimut.data.benchmark.build import witness_file
        from equimut.oracle.witness_files import save_witness

        save_witness(witness_file(pairs[0]), save)
        print_note(f"witness: {save} (equimut oracle --replay {save})")
    if as_json:
        print_json([pair.model_dump(mode="json") for pair in pairs])
        return
    for pair in pairs:
        _print_evidence(pair)


def _print_evidence(pair: "VerifiedPair") -> None:
    from difflib import unified_diff

    from rich.console import Console
    from rich.syntax import Syntax

    console = Console()
    told = pair.evidence
    console.rule(f"{pair.id}  {pair.operators[0]}  label {pair.label}: {told.tier}", align="left")
    change = unified_diff(pair.origin.splitlines(), pair.mutant.splitlines(), lineterm="", n=1)
    console.print(Syntax("\n".join(list(change)[2:]), "diff", background_color="default"))
    if told.witness is not None:
        called = zip(told.witness.parameters, told.witness.arguments, strict=True)
        arguments = ", ".join(f"{name} = {json.dumps(value)}" for name, value in called)
        typer.echo(f"on {arguments or 'no arguments'}")
        for side in ("origin", "mutant"):
            shown = getattr(told.witness, side).model_dump(exclude_defaults=True)
            typer.echo(f"  {side}: {json.dumps(shown, ensure_ascii=False)}")
    elif told.proof is not None:
        typer.echo(f"equivalent: proved ({told.proof})")
    else:
        typer.echo(f"survived {told.inputs:,} inputs")


def build_bundled(
    language: Language = None,
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Where to write the rebuilt files.")
    ] = Path("bundled"),
    jobs: Annotated[int, typer.Option(min=1, help="Origins judged at the same time.")] = 2,
    work: Annotated[
        Path | None,
        typer.Option("--work", metavar="DIR", help="Where finished origins are kept."),
    ] = None,
    origin: Annotated[
        list[str] | None, typer.Option("--origin", help="Only this origin (repeatable).")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Fail (exit code 1) unless equal to what ships.")
    ] = False,
) -> None:
    """Rebuild the verified benchmark from its origins: mutate, run, compare, pack.

    Runs the project's own functions and their mutants in fenced child processes. Takes about an
    hour on two cores; a build that was stopped goes on where it was.
    """
    from equimut.data.benchmark.reader import BENCHMARK_LANGUAGES
    from equimut.data.store import write_verified
    from equimut.storage.user_cache import cache_directory

    kept = work or cache_directory("datasets") / "build-bundled"
    for name in [language] if language else BENCHMARK_LANGUAGES:
        built = _build_with_bar(name, kept, jobs, tuple(origin or ()))
        write_verified(out / f"{name}.jsonl.gz", built.pairs)
        typer.echo(
            f"{out / name}.jsonl.gz: {len(built.pairs):,} mutants, "
            f"{sum(pair.label for pair in built.pairs):,} equivalent; left out: "
            f"{built.stillborn:,} that do not compile, {built.fenced:,} that met the fence"
        )
        if check:
            _check_equal(built, whole=not origin)


def _build_with_bar(
    language: str, work: Path, jobs: int, names: tuple[str, ...]
) -> "BuiltLanguage":
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    from equimut.data.benchmark.build import build
    from equimut.data.benchmark.reader import origins

    columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(f"{language} origins", total=len(names) or len(origins(language)))
        return build(language, work, jobs=jobs, names=names, on_origin=lambda _: bar.advance(task))


def _check_equal(built: "BuiltLanguage", whole: bool) -> None:
    from equimut.data.benchmark.reader import bundled as shipped
    from equimut.errors import GateFailed

    classes = {pair.class_id for pair in built.pairs}
    there = tuple(pair for pair in shipped(built.language) if whole or pair.class_id in classes)
    if there != built.pairs:
        old, new = {pair.id: pair for pair in there}, {pair.id: pair for pair in built.pairs}
        differ = [key for key in old.keys() | new.keys() if old.get(key) != new.get(key)]
        raise GateFailed(
            f"{built.language}: {len(differ)} mutants differ from what ships, "
            f"for example {sorted(differ)[:3]}"
        )
    typer.echo(f"{built.language}: equal to what ships")
