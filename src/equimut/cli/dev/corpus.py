"""`equimut dev corpus`: the functions an encoder is pretrained on, and its tokenizer."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equimut.cli.console import print_json, print_line, print_note, print_table
from equimut.cli.options import AsJson, Sample, SampleSeed
from equimut.cli.progress import progress
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
            help="Leave out functions similar to these pairs or sources (repeatable). Those of "
            "the bundled benchmark and, when fetched, of MutantBench are always left out.",
        ),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Most functions per language.")] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Parallel processes.")] = 2,
) -> None:
    """Fetch sources and keep their functions, without near-duplicates and benchmark code.

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
    with progress() as bars:
        packages, files = _sources(language, package, directory, target, bars.show)
        index = build_corpus(
            files,
            packages,
            target,
            work=target / "pieces",
            excluded=exclusions(held_out),
            limit=limit,
            jobs=jobs,
            progress=bars.show,
        )
    for name in index.languages:
        print_note(f"{name}: {index.found[name]:,} functions found")
        for reason, number in index.removed[name].items():
            print_note(f"  {number:,} left out: {reason}")
        trained, held = index.count(name, "train"), index.count(name, "held-out")
        print_line(f"{name}: {trained:,} functions to train on, {held:,} held out, in {target}")


@corpus_app.command()
def show(
    corpus: CorpusPath = None,
    sample: Sample = 0,
    seed: SampleSeed = 0,
    as_json: AsJson = False,
) -> None:
    """Count the functions of a corpus by language, or print a sample of them."""
    from itertools import islice

    from equimut.pretraining.loop.sources import open_corpus

    opened = open_corpus(corpus)
    if sample:
        chosen = list(islice(opened.shuffled(seed, 0), sample))
        if as_json:
            print_json([function.model_dump() for function in chosen])
            return
        for function in chosen:
            print_line(f"{function.package} {function.path}: {function.name}", bold=True)
            print_line(f"{function.text}\n")
        return
    if as_json:
        print_json(opened.index.model_dump())
        return
    _print_index(opened)


@corpus_app.command()
def tokenizer(
    size: Annotated[
        list[int] | None,
        typer.Option("--size", help="Vocabulary size (repeatable; default 8192)."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Where to write (default: in the corpus)."),
    ] = None,
    corpus: CorpusPath = None,
    as_json: AsJson = False,
) -> None:
    """Train byte-level BPE tokenizers on the corpus and measure how they split held-out code.

    Each size becomes a directory `bpe-SIZE` that `AutoTokenizer.from_pretrained` opens.
    """
    from equimut.pretraining.corpus.bpe import fertility, save_tokenizer, smaller, train_bpe
    from equimut.pretraining.loop.sources import open_corpus

    opened = open_corpus(corpus)
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
        print_line(str(target))
        for each in cuts:
            print_line(
                f"  {each.language}: {each.per_token:.3f} sub-tokens per code token, "
                f"{each.whole:.1%} of code tokens whole"
            )


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


def _print_index(corpus: "Corpus") -> None:
    index = corpus.index
    rows = [
        (
            language,
            index.found[language],
            index.count(language, "train"),
            index.count(language, "held-out"),
            sum(shard.code_tokens for shard in index.shards if shard.language == language),
            sum(package.language == language for package in index.packages),
        )
        for language in index.languages
    ]
    columns = ("language", "found", "train", "held-out", "code tokens", "packages")
    print_table(columns, rows, str(corpus.directory))
