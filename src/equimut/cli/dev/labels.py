"""`equimut dev labels`: labelled mutants of code in the wild."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equimut.cli.console import print_change, print_json, print_line, print_note, print_table
from equimut.cli.options import AsJson, Sample, SampleSeed
from equimut.cli.progress import counting

if TYPE_CHECKING:
    from equimut.pretraining.labels.build import Job
    from equimut.pretraining.labels.store import LabelIndex

labels_app = typer.Typer(
    name="labels",
    help="Make and show labelled mutants of code in the wild, to train on.",
    no_args_is_help=True,
)

Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="DIR", help="Where the pairs go (default: the user's cache)."),
]


@labels_app.command()
def build(
    corpus: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="A corpus: mutants of its functions, labelled by rules."),
    ] = None,
    c_source: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="DIR",
            help="A configured tree of C sources: labelled by gcc's optimised code (repeatable).",
        ),
    ] = None,
    java_source: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="DIR",
            help="A tree of Java sources: methods that can stand alone are run (repeatable).",
        ),
    ] = None,
    wild: Annotated[
        bool,
        typer.Option(
            "--wild",
            help="Functions of named projects, which are fetched, labelled by rules and prover, "
            "and held-out origins of the verified benchmark as the prover sees them.",
        ),
    ] = False,
    projects: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Another list of projects for --wild (TOML)."),
    ] = None,
    functions: Annotated[
        int, typer.Option(min=1, help="Functions taken from the corpus, per language.")
    ] = 2_000,
    files: Annotated[int, typer.Option(min=1, help="Files taken from each source tree.")] = 100,
    out: Out = None,
    work: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where finished jobs are kept.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Chooses functions and mutants.")] = 0,
    jobs: Annotated[int, typer.Option(min=1, help="Parallel jobs.")] = 2,
    collect: Annotated[
        bool, typer.Option("--collect", help="Only collect the jobs that are done.")
    ] = False,
) -> None:
    """Make mutants of many functions and label them cheaply.

    A build that was stopped goes on where it was; one with more sources adds to what is done.
    --java-source runs the methods of those sources in sandboxed child processes, --c-source only
    compiles. Name the same sources again to keep their pairs.
    """
    from equimut.pretraining.labels.build import build_labels, collect_labels
    from equimut.pretraining.labels.store import labels_directory

    wanted = _jobs(corpus, c_source or [], java_source or [], functions, files)
    held_out: list[Path] = []
    if wild:
        named, held_out = _wild_jobs(projects, files)
        wanted += named
    if not wanted:
        raise typer.BadParameter("name one of --wild, --corpus, --c-source and --java-source")
    target = out or labels_directory()
    kept = work or labels_directory() / "work"
    if collect:
        built = collect_labels(wanted, kept, target, seed=seed, held_out=held_out)
    else:
        with counting("jobs", len(wanted)) as advance:
            built = build_labels(
                wanted,
                kept,
                target,
                seed=seed,
                processes=jobs,
                held_out=held_out,
                on_job=lambda job, rows: advance(),
            )
    for reason, number in built.failures.items():
        print_note(f"{number} jobs without pairs: {reason}")
    for reason, number in built.index.left_out.items():
        print_note(f"{number:,} functions left out: {reason}")
    _print_counts(built.index)
    print_line(f"{target}: {built.index.pairs:,} pairs of {built.index.origins:,} functions")


@labels_app.command()
def show(
    directory: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="Labelled pairs (default: the cache).")
    ] = None,
    sample: Sample = 0,
    seed: SampleSeed = 0,
    language: Annotated[str | None, typer.Option(help="Sample this language only.")] = None,
    as_json: AsJson = False,
) -> None:
    """Count labelled pairs by what their labels rest on, and look at some."""
    from equimut.pretraining.labels.store import labels_directory, read_index, sample_labels

    place = directory or labels_directory()
    index = read_index(place)
    rows = sample_labels(place, sample, seed, language) if sample else []
    if as_json:
        chosen = [row.model_dump(mode="json") for row in rows]
        print_json({**index.model_dump(mode="json"), "sample": chosen})
        return
    _print_counts(index)
    for row in rows:
        print_change(row.origin, row.mutant)
        why = f"{row.evidence} {row.rule}".strip()
        print_line(f"  {row.id}  {row.operators[0]}  label {row.label} ({why}, {row.weight:g})")


def _jobs(
    corpus: Path | None, c_source: list[Path], java_source: list[Path], functions: int, files: int
) -> "list[Job]":
    from equimut.pretraining.corpus.store import Corpus
    from equimut.pretraining.labels.build import corpus_jobs, jobs_below

    found: list[Job] = []
    for kind, roots in (("c-gcc", c_source), ("java-oracle", java_source)):
        for root in roots:
            if not root.is_dir():
                raise typer.BadParameter(f"{root} is not a directory")
            found += jobs_below(root.resolve(), kind, root.resolve().name, files)
    if corpus is not None:
        opened = Corpus(corpus)
        for language in opened.index.languages:
            found += corpus_jobs(opened, language, functions)
    return found


def _wild_jobs(projects: Path | None, files: int) -> "tuple[list[Job], list[Path]]":
    """Jobs on the listed projects and the benchmark; sources of projects that are held out."""
    from equimut.pretraining.corpus.packages import corpus_directory, package_files
    from equimut.pretraining.labels.build import project_jobs, verified_jobs
    from equimut.pretraining.labels.projects import (
        HELD_OUT,
        LISTED,
        Project,
        fetched,
        listed_projects,
    )

    listed, cache = listed_projects(projects or LISTED), corpus_directory()

    def note(project: Project, problem: str) -> None:
        advance()
        if problem:
            print_note(f"{project.name} is left out: {problem}")

    with counting("projects", len(listed)) as advance:
        there = fetched(listed, cache, on_project=note)
    held_out = [package_files(cache, each.name) for each in there if each.part == HELD_OUT]
    learnt = [each for each in there if each.part != HELD_OUT]
    return [*verified_jobs(), *project_jobs(learnt, cache, files)], held_out


def _print_counts(index: "LabelIndex") -> None:
    rows = [count.model_dump().values() for count in index.counts]
    print_table(("language", "evidence", "label", "pairs", "origins"), rows, "labelled pairs")
