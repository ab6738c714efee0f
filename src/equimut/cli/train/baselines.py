"""`equimut baselines`: what must be beaten before a model means anything."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equimut.cli.console import print_json, print_note
from equimut.cli.options import AsJson
from equimut.cli.progress import counting
from equimut.errors import NothingToAnalyse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from equimut.evaluation.evaluation import Evaluation
    from equimut.records import Pair

ALL = "all"


def baselines(
    pairs: Annotated[
        list[str],
        typer.Argument(
            metavar="PAIRS", help="Files of pairs (.jsonl, .jsonl.gz), or bundled[:LANGUAGE]."
        ),
    ],
    protocol: Annotated[
        list[str],
        typer.Option(
            "--protocol",
            help="published, paper, clean, by-origin, by-program, or all that fit (repeatable).",
        ),
    ],
    folds: Annotated[
        str, typer.Option(metavar="K,K,...", help="Folds of by-origin and by-program, or all.")
    ] = ALL,
    seeds: Annotated[
        str, typer.Option(metavar="S,S,...", help="Seeds of the halves and folds.")
    ] = "42",
    resamples: Annotated[
        int, typer.Option(min=0, help="Bootstrap resamples per interval; 0: no intervals.")
    ] = 1000,
    out: Annotated[
        list[Path] | None,
        typer.Option("--out", metavar="FILE", help="Write .json or .md (repeatable)."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Fit and measure the baselines that every model must be compared with.

    origin-majority guesses each origin's most frequent label and never reads the mutant.
    line-operator looks up what changed the same line with the same operator. edit-lr is a logistic
    regression on the edited tokens and their context; surroundings-lr also sees what the rest of
    the function does with the edited names.

    Example: equimut baselines bundled:java --protocol by-origin
    """
    from equimut.data.pairs import load_pairs
    from equimut.evaluation.protocols import fitting_protocols, versions_used
    from equimut.evaluation.tables import print_tables

    _check_outputs(out or [])
    chosen_folds = None if folds == ALL else _numbers("--folds", folds)
    chosen_seeds = _numbers("--seeds", seeds)
    found: list[Evaluation] = []
    for name in pairs:
        loaded = load_pairs(name)
        fitting, left_out = fitting_protocols(loaded, None if ALL in protocol else protocol)
        for one, reason in left_out.items():
            print_note(f"{_short(name)}: {one} left out: {reason}")
        if not fitting:
            raise NothingToAnalyse(
                f"no protocol can split {name}: its rows are too few or too alike"
            )
        for one in fitting:
            found += _measure(loaded, name, one, chosen_folds, chosen_seeds, resamples)
    command = ["baselines", *map(_short, pairs), *(f"--protocol {one}" for one in protocol)]
    command += [f"--folds {folds}"] * (folds != ALL) + [f"--seeds {seeds}"] * (seeds != "42")
    command += [f"--resamples {resamples}"] * (resamples != 1000)
    about = {"command": f"equimut {' '.join(command)}", "seeds": seeds, **versions_used()}
    for path in out or []:
        _write(path, found, about)
        print_note(f"wrote {path}")
    if as_json:
        print_json({**about, "evaluations": [one.model_dump(mode="json") for one in found]})
        return
    from rich.console import Console

    print_tables(found, Console())


def _measure(
    pairs: "Sequence[Pair]",
    name: str,
    protocol: str,
    folds: list[int] | None,
    seeds: list[int],
    resamples: int,
) -> "list[Evaluation]":
    from equimut.data.splitting.split import FOLDS
    from equimut.evaluation.baselines import BASELINES
    from equimut.evaluation.protocols import evaluate_protocol, result_count

    if FOLDS[protocol] == 1:
        folds = None  # there is nothing to choose from
    total = result_count(protocol, len(BASELINES), folds, len(seeds))
    found = []
    with counting(f"{_short(name)}, {protocol}", total) as advance:
        for outcome in evaluate_protocol(
            BASELINES, pairs, protocol, _short(name), folds, seeds, resamples
        ):
            found.append(outcome.evaluation)
            advance()
    return found


def _write(path: Path, found: "Sequence[Evaluation]", about: dict[str, str]) -> None:
    from equimut.evaluation.evaluation import write_evaluations
    from equimut.evaluation.tables import markdown_table
    from equimut.storage.files import write_bytes

    if path.suffix == ".json":
        write_evaluations(path, found, about)
        return
    lines = "".join(f"- {name}: {value}\n" for name, value in about.items())
    write_bytes(path, f"# Baselines\n\n{lines}\n{markdown_table(found)}".encode())


def _check_outputs(paths: list[Path]) -> None:
    for path in paths:
        if path.suffix not in (".json", ".md"):
            raise typer.BadParameter(f"{path}: name a .json or .md file", param_hint="--out")


def _numbers(option: str, text: str) -> list[int]:
    try:
        return list(dict.fromkeys(int(part) for part in text.split(",")))
    except ValueError:
        raise typer.BadParameter(
            f"{text!r} is not a list of numbers such as 0,1,2", param_hint=option
        ) from None


def _short(name: str) -> str:
    """The name of a dataset without its directory and suffixes."""
    return Path(name).name.removesuffix(".gz").removesuffix(".jsonl")
