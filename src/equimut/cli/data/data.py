"""`equimut data`: fetch, prepare, check and split datasets."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equimut.cli.console import print_json, print_line, print_note, print_table
from equimut.cli.options import AsJson, PairsFile
from equimut.cli.progress import counting

if TYPE_CHECKING:
    from equimut.data.splitting.check import DataReport

data_app = typer.Typer(
    name="data",
    help="Datasets: fetch the published ones, turn them into pairs, check them, split them.",
    no_args_is_help=True,
)

FromDirectory = Annotated[
    Path | None,
    typer.Option("--from", metavar="DIR", help="A local directory that holds the files."),
]
CacheDirectory = Annotated[
    Path | None,
    typer.Option("--cache", metavar="DIR", help="Where fetched files live (default: user cache)."),
]


@data_app.command()
def fetch(
    dataset: Annotated[str, typer.Argument(help="emd or mutantbench.")],
    from_directory: FromDirectory = None,
    cache: CacheDirectory = None,
    mirror: Annotated[
        str | None,
        typer.Option(
            "--mirror", metavar="URL", envvar="EQUIMUT_MIRROR", help="Another server to ask."
        ),
    ] = None,
) -> None:
    """Download a published dataset into the cache and check it against its pinned sums."""
    from equimut.data.published.fetch import BASE_URL, copy_from, dataset_named
    from equimut.data.published.fetch import fetch as download
    from equimut.storage.user_cache import cache_directory

    pinned = dataset_named(dataset)
    target = cache or cache_directory("datasets")
    if from_directory is not None:
        directory = copy_from(pinned, from_directory, target)
    else:
        with counting(dataset, sum(file.size for file in pinned.files), in_bytes=True) as advance:
            directory = download(pinned, target, mirror or BASE_URL, advance)
    print_line(f"{dataset}: {len(pinned.files)} files, sums as pinned, in {directory}")


@data_app.command()
def prepare(
    dataset: Annotated[str, typer.Argument(help="emd-java, mutantbench-java or mutantbench-c.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The pairs to write.")],
    from_directory: FromDirectory = None,
    cache: CacheDirectory = None,
) -> None:
    """Turn a published dataset into pairs: one JSON line each, in one schema."""
    from equimut.data.published import prepare as room
    from equimut.data.store import write_pairs
    from equimut.storage.user_cache import cache_directory

    prepared = room.prepare(dataset, from_directory or cache or cache_directory("datasets"))
    number = write_pairs(out, prepared.pairs)
    for remark in prepared.remarks:
        print_note(remark)
    print_line(f"{out}: {number} pairs")


@data_app.command()
def check(pairs: PairsFile, as_json: AsJson = False) -> None:
    """Judge a dataset: duplicates, contradictions, leakage, skew, and what a blind guess scores."""
    from equimut.data.pairs import load_pairs
    from equimut.data.splitting import check as room

    report = room.check(load_pairs(pairs))
    if as_json:
        print_json(report.model_dump())
    else:
        _print_report(pairs, report)


@data_app.command()
def sample(
    pairs: PairsFile,
    rows: Annotated[int, typer.Option("--rows", min=1, help="About how many pairs to keep.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The pairs to write.")],
    seed: Annotated[int, typer.Option(help="Which pairs are drawn.")] = 0,
) -> None:
    """Write fewer pairs of a data set: the same origins, the same share of each label.

    Example: equimut data sample bundled --rows 25000 --out bundled-25000.jsonl
    """
    from equimut.data.pairs import load_pairs
    from equimut.data.splitting.sampling import sample_pairs
    from equimut.data.store import write_pairs

    known = load_pairs(pairs)
    chosen = sample_pairs(known, rows, seed)
    write_pairs(out, chosen)
    equivalent = sum(pair.label for pair in chosen)
    print_line(f"{out}: {len(chosen):,} of {len(known):,} pairs, {equivalent:,} equivalent")


@data_app.command()
def split(
    pairs: PairsFile,
    protocol: Annotated[
        str,
        typer.Option("--protocol", help="published, paper, clean, by-origin or by-program."),
    ],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The directory to write.")],
    fold: Annotated[int, typer.Option(help="Which of the five folds (grouped protocols).")] = 0,
    seed: Annotated[int, typer.Option(help="Seed of the halves and the folds.")] = 42,
    as_json: AsJson = False,
) -> None:
    """Write train.jsonl, test.jsonl and split.json, which counts every dropped row."""
    from equimut.data.pairs import load_pairs
    from equimut.data.splitting import split as room
    from equimut.data.store import write_pairs
    from equimut.storage.files import write_bytes

    parts = room.split(load_pairs(pairs), protocol, fold=fold, seed=seed)
    summary = {
        "protocol": parts.protocol,
        "fold": parts.fold,
        "seed": parts.seed,
        "train": {"rows": len(parts.train), "equivalent": sum(p.label for p in parts.train)},
        "test": {"rows": len(parts.test), "equivalent": sum(p.label for p in parts.test)},
        "dropped": dict(parts.dropped),
    }
    write_pairs(out / "train.jsonl", parts.train)
    write_pairs(out / "test.jsonl", parts.test)
    write_bytes(out / "split.json", (json.dumps(summary, indent=2) + "\n").encode())
    if as_json:
        print_json(summary)
        return
    print_line(f"{out}: {len(parts.train)} training pairs, {len(parts.test)} test pairs")
    for reason, number in parts.dropped.items():
        print_line(f"  dropped {number}: {reason}")


def _print_report(path: Path, report: "DataReport") -> None:
    parts = {"all": report.everything, "train": report.train, "test": report.test}
    print_table(
        ["", *parts],
        [
            [name.replace("_", " "), *(_shown(getattr(part, name)) for part in parts.values())]
            for name in type(report.everything).model_fields
        ],
        path.name,
    )
    if report.parts_are == "halves":
        print_line("no published split: train and test are stratified halves, seed 42")
    tested = max(report.test.rows, 1)
    print_table(
        ("leakage from training into test", "", "of test rows"),
        [
            (
                name.replace("_", " "),
                value,
                "" if name == "shared_pairs" else f"{value / tested:.1%}",
            )
            for name, value in report.leakage.model_dump().items()
        ],
    )
    print_line(
        "guessing each origin's majority label, without reading the mutant: "
        f"macro-F1 {100 * report.origin_majority_macro_f1:.1f}"
    )


def _shown(value: int | float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.1%}"
