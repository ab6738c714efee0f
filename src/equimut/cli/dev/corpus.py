"""`equimut corpus`: the functions an encoder is pretrained on, and its tokenizer."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equimut.cli.console import print_json, print_note
from equimut.errors import DataError

if TYPE_CHECKING:
    from equimut.pretraining.corpus.bpe import Fertility
    from equimut.pretraining.corpus.packages import FetchedPackage
    from equimut.pretraining.corpus.sources import SourceFile
    from equimut.pretraining.corpus.store import Corpus

corpus_app = typer.Typer(
    name="corpus",
    help="The pretraining corpus: functions from Debian's packages and from Python's own sources.",
    no_args_is_help=True,
)

CorpusPath = Annotated[
    Path | None,
    typer.Option("--corpus", metavar="DIR", help="The corpus (default: in the user cache)."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


@corpus_app.command()
def build(
    language: Annotated[
        list[str] | None,
        typer.Option("--language", help="java, c or python (repeatable; default: all three)."),
    ] = None,
    corpus: CorpusPath = None,
    package: Annotated[
        list[str] | None,
        typer.Option(
            "--package",
            metavar="LANGUAGE=NAME",
            help="A Debian package to take instead of the usual ones (repeatable).",
        ),
    ] = None,
    directory: Annotated[
        list[str] | None,
        typer.Option(
            "--directory",
            metavar="LANGUAGE=DIR",
            help="A directory of sources to take instead of packages (repeatable).",
        ),
    ] = None,
    exclude: Annotated[
        list[Path] | None,
        typer.Option(
            "--exclude",
            metavar="PATH",
            help="Pairs or sources whose like must not be in it (repeatable). The bundled "
            "benchmark and, when fetched, MutantBench are always kept out.",
        ),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="At most so many functions of each language.")
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Processes that parse.")] = 2,
) -> None:
    """Fetch the sources, take their functions, remove near-duplicates and what is held out.

    Needs apt for the packages (not root), or --directory. About ten minutes on two cores; a build
    that was stopped goes on where it was.
    """
    from equimut.pretraining.corpus.build import build_corpus
    from equimut.pretraining.corpus.exclusions import exclusions
    from equimut.pretraining.corpus.packages import corpus_directory

    target = corpus or corpus_directory()
    held_out = [*_fetched_benchmarks(), *(exclude or [])]
    for path in held_out:
        if not path.exists():
            raise DataError(f"{path} is not there: nothing can be excluded by it")
    with _bars() as progress:
        packages, files = _sources(language, package, directory, target, progress)
        index = build_corpus(
            files,
            packages,
            target,
            work=target / "pieces",
            excluded=exclusions(held_out),
            limit=limit,
            jobs=jobs,
            progress=progress,
        )
    for name in index.languages:
        print_note(f"{name}: {index.found[name]:,} functions found")
        for reason, number in index.removed[name].items():
            print_note(f"  {number:,} left out: {reason}")
        trained, held = index.count(name, "train"), index.count(name, "held-out")
        typer.echo(f"{name}: {trained:,} functions to train on, {held:,} held out, in {target}")


@corpus_app.command()
def show(
    corpus: CorpusPath = None,
    sample: Annotated[
        int, typer.Option("--sample", metavar="N", min=0, help="Show N functions instead.")
    ] = 0,
    seed: Annotated[int, typer.Option(help="Chooses the sample.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Show what a corpus holds and where it came from, or some of its functions."""
    from itertools import islice

    opened = _opened(corpus)
    if sample:
        chosen = list(islice(opened.shuffled(seed, 0), sample))
        if as_json:
            print_json([function.model_dump() for function in chosen])
            return
        for function in chosen:
            typer.secho(f"{function.package} {function.path}: {function.name}", bold=True)
            typer.echo(f"{function.text}\n")
        return
    if as_json:
        print_json(opened.index.model_dump())
        return
    _print_index(opened)


@corpus_app.command()
def tokenizer(
    size: Annotated[
        list[int] | None,
        typer.Option("--size", help="Tokens of the vocabulary (repeatable; default 8192)."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Where to write (default: beside the corpus)."),
    ] = None,
    corpus: CorpusPath = None,
    as_json: AsJson = False,
) -> None:
    """Learn byte-level BPE vocabularies from the corpus, and say how they cut held-out code.

    Each size becomes a directory `bpe-SIZE` that `AutoTokenizer.from_pretrained` opens.
    """
    opened = _opened(corpus)

    from equimut.pretraining.corpus.bpe import fertility, save_tokenizer, smaller, train_bpe

    sizes = size or [8192]
    print_note(f"learning {max(sizes):,} tokens")
    largest = train_bpe(opened, max(sizes))
    rows: list[tuple[int, Path, list[Fertility]]] = []
    for number in sizes:
        learnt = smaller(largest, number)
        target = (out or opened.directory / "tokenizers") / f"bpe-{number}"
        save_tokenizer(learnt, target)
        rows.append((number, target, fertility(opened, learnt)))
    if as_json:
        print_json(
            [
                {"size": n, "directory": str(at), "cuts": [each.model_dump() for each in cuts]}
                for n, at, cuts in rows
            ]
        )
        return
    for _, target, cuts in rows:
        typer.echo(str(target))
        for each in cuts:
            typer.echo(
                f"  {each.language}: {each.per_token:.3f} sub-tokens per code token, "
                f"{each.whole:.1%} of code tokens whole"
            )


def _opened(path: Path | None) -> "Corpus":
    from equimut.pretraining.corpus.packages import corpus_directory
    from equimut.pretraining.corpus.store import Corpus

    opened = Corpus(path or corpus_directory())
    _ = opened.index  # a missing corpus is told before anything else
    return opened


def _fetched_benchmarks() -> list[Path]:
    from equimut.storage.user_cache import cache_directory

    programs = cache_directory("datasets") / "mutantbench"
    return [programs] if programs.is_dir() else []


def _sources(
    languages: list[str] | None,
    packages: list[str] | None,
    directories: list[str] | None,
    cache: Path,
    progress: Callable[[str, int, int], None],
) -> "tuple[list[FetchedPackage], list[SourceFile]]":
    """The packages and their files, fetched where they are not there yet."""
    from equimut.pretraining.corpus.choices import chosen_sources

    given = [_named(each, "--directory") for each in directories or []]
    named = [_named(each, "--package") for each in packages or []]
    return chosen_sources(languages, named, [(key, Path(at)) for key, at in given], cache, progress)


def _named(value: str, option: str) -> tuple[str, str]:
    language, equals, rest = value.partition("=")
    if not equals or not rest:
        raise typer.BadParameter(f"{option} takes LANGUAGE=..., not {value!r}")
    return language, rest


@contextmanager
def _bars() -> Iterator[Callable[[str, int, int], None]]:
    from rich.console import Console
    from rich.progress import Progress, TaskID

    with Progress(console=Console(stderr=True), transient=True) as shown:
        tasks: dict[str, TaskID] = {}

        def progress(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = shown.add_task(what, total=total)
            shown.update(tasks[what], completed=done, total=total)

        yield progress


def _print_index(corpus: "Corpus") -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    index = corpus.index
    table = Table("language", box=SIMPLE_HEAD, padding=(0, 1, 0, 0), title=str(corpus.directory))
    for name in ("found", "train", "held-out", "code tokens", "packages"):
        table.add_column(name, justify="right")
    for language in index.languages:
        own = [shard for shard in index.shards if shard.language == language]
        numbers = (
            index.found[language],
            index.count(language, "train"),
            index.count(language, "held-out"),
            sum(shard.code_tokens for shard in own),
            sum(package.language == language for package in index.packages),
        )
        table.add_row(language, *(f"{number:,}" for number in numbers))
    Console().print(table)
