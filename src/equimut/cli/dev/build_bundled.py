"""`equimut dev build-bundled`: the verified benchmark, made anew from its origins."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equimut.cli.console import print_line
from equimut.cli.options import Language
from equimut.cli.progress import counting

if TYPE_CHECKING:
    from equimut.data.benchmark.build import BuiltLanguage


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

    Runs the project's own functions and their mutants in sandboxed child processes. Takes about an
    hour on two cores; a build that was stopped goes on where it was.
    """
    from equimut.data.benchmark.reader import BENCHMARK_LANGUAGES
    from equimut.data.store import write_verified
    from equimut.storage.user_cache import cache_directory

    kept = work or cache_directory("datasets") / "build-bundled"
    for name in [language] if language else BENCHMARK_LANGUAGES:
        built = _build(name, kept, jobs, tuple(origin or ()))
        write_verified(out / f"{name}.jsonl.gz", built.pairs)
        print_line(
            f"{out / name}.jsonl.gz: {len(built.pairs):,} mutants, "
            f"{sum(pair.label for pair in built.pairs):,} equivalent; left out: "
            f"{built.stillborn:,} that do not compile, {built.fenced:,} that the sandbox stopped"
        )
        if check:
            _check_equal(built, whole=not origin)


def _build(language: str, work: Path, jobs: int, names: tuple[str, ...]) -> "BuiltLanguage":
    from equimut.data.benchmark.build import build
    from equimut.data.benchmark.reader import origins

    with counting(f"{language} origins", len(names) or len(origins(language))) as advance:
        return build(language, work, jobs=jobs, names=names, on_origin=lambda _: advance())


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
    print_line(f"{built.language}: equal to what ships")
