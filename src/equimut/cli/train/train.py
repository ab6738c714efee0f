"""`equimut train`: fine-tune a detector, calibrate it, evaluate it next to the baselines."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equimut.cli.console import print_json, print_line, print_note
from equimut.cli.options import AsJson, PairsFile, SetOptions, assignment
from equimut.cli.progress import training_progress
from equimut.errors import EquimutError
from equimut.storage.files import read_toml

if TYPE_CHECKING:
    from equimut.training.run_files import RunRecord

_MODEL, _TRAINING, _ROWS = "Model", "Training", "Rows"


def train(
    pairs: PairsFile,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where the run is kept.")],
    preset: Annotated[
        str,
        typer.Option(
            help="default: ours. paper: the published settings. cpu: for the encoder that ships, "
            "in minutes. wide: cpu plus logistic regressions on the edit."
        ),
    ] = "default",
    config: Annotated[
        Path | None,
        typer.Option("--config", metavar="FILE", help="A TOML file laid over the preset."),
    ] = None,
    loss: Annotated[
        str | None,
        typer.Option(help="base, contrastive, triplet or cpl.", rich_help_panel=_TRAINING),
    ] = None,
    margin: Annotated[
        float | None, typer.Option(help="The paper's zeta.", rich_help_panel=_TRAINING)
    ] = None,
    weight: Annotated[
        float | None, typer.Option(help="The paper's lambda.", rich_help_panel=_TRAINING)
    ] = None,
    epochs: Annotated[int | None, typer.Option(rich_help_panel=_TRAINING)] = None,
    batch_size: Annotated[
        int | None,
        typer.Option(help="Pairs per step, over all processes.", rich_help_panel=_TRAINING),
    ] = None,
    learning_rate: Annotated[float | None, typer.Option(rich_help_panel=_TRAINING)] = None,
    seed: Annotated[int | None, typer.Option(rich_help_panel=_TRAINING)] = None,
    encoder: Annotated[
        str | None,
        typer.Option(
            help="equimut: the one that ships. Or a Hugging Face name, or a directory.",
            rich_help_panel=_MODEL,
        ),
    ] = None,
    input_: Annotated[
        str | None,
        typer.Option(
            "--input",
            help="paper: the start of a function. edit: a window around the edit.",
            rich_help_panel=_MODEL,
        ),
    ] = None,
    pooling: Annotated[
        str | None, typer.Option(help="cls or edit.", rich_help_panel=_MODEL)
    ] = None,
    frozen: Annotated[
        bool | None,
        typer.Option("--frozen", help="Train the head only.", rich_help_panel=_MODEL),
    ] = None,
    protocol: Annotated[
        str | None,
        typer.Option(
            help="published, paper, clean, by-origin, by-program, or all: train on every row "
            "(default: paper; all for fewer than 1,000 rows of your own).",
            rich_help_panel=_ROWS,
        ),
    ] = None,
    fold: Annotated[
        int | None, typer.Option(help="Of the grouped protocols: 0 to 4.", rich_help_panel=_ROWS)
    ] = None,
    selection: Annotated[
        str | None,
        typer.Option(
            help="What chooses the epoch. dev: a validation split of the training rows, drawn as "
            "the protocol draws its test rows. test: the test rows, as published; the result "
            "says so. last: nothing, the last epoch is kept.",
            rich_help_panel=_ROWS,
        ),
    ] = None,
    refit: Annotated[
        bool | None,
        typer.Option(
            "--refit",
            help="Then train again on all training rows, for the chosen number of epochs.",
            rich_help_panel=_ROWS,
        ),
    ] = None,
    options: SetOptions = None,
    threads: Annotated[int | None, typer.Option(help="Processor threads.")] = None,
    tensorboard: Annotated[
        bool, typer.Option("--tensorboard", help="Also write TensorBoard's files.")
    ] = False,
    restart: Annotated[
        bool, typer.Option("--restart", help="Delete the run in DIR and start again.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Fine-tune a detector, calibrate it, and evaluate it next to the baselines.

    Stopped at any moment and started again with the same command, it goes on where it was and
    ends with the same weights. Several processes: accelerate launch -m equimut train ...

    Example: equimut train bundled:java --loss cpl --protocol by-origin --out runs/cpl
    """
    from equimut import config as room

    base = room.preset(preset)
    given = dict(assignment(option) for option in options or ())
    if config is not None:
        base = room.read_config(config, base)
    wanted = room.changed(
        base,
        {
            "data.pairs": str(pairs),
            "data.protocol": protocol,
            "data.fold": fold,
            "loss.name": loss,
            "loss.margin": margin,
            "loss.weight": weight,
            "optim.epochs": epochs,
            "optim.batch_size": batch_size,
            "optim.learning_rate": learning_rate,
            "model.encoder": encoder,
            "model.input": input_,
            "model.pooling": pooling,
            "model.frozen": frozen,
            "selection.on": selection,
            "selection.refit": refit,
            "seed": seed,
            "threads": threads,
            **given,
        },
    )
    named = {**(room.flattened(read_toml(config)) if config else {}), **given}
    asked = wanted.data.protocol if protocol or "data.protocol" in named else None
    from equimut.training.run import is_first_process, train_run

    with training_progress() as progress:
        record = train_run(
            wanted,
            out,
            protocol=asked,
            restart=restart,
            tensorboard=tensorboard,
            progress=progress,
            message=print_note,
        )
    if not is_first_process():  # of several, one prints
        return
    if as_json:
        print_json(record.model_dump(mode="json"))
    else:
        _print_result(out, record)


def _print_result(out: Path, record: "RunRecord") -> None:
    from rich.console import Console

    from equimut.evaluation.tables import print_tables

    if record.evaluation is None and record.status != "finished":
        raise EquimutError(f"{out}: the run is not finished; start the same command again")
    if record.evaluation is not None:
        print_tables([record.evaluation, *record.baselines], Console())
    chosen = {
        "dev": f"epoch {record.best_epoch}, chosen on {record.data.dev} rows of training",
        "test": f"epoch {record.best_epoch}, CHOSEN ON THE TEST ROWS as published: it flatters",
        "last": f"the last of {record.best_epoch} epochs",
    }[record.config.selection.on]
    print_line(f"{out}: {chosen}; {record.seconds / 60:.1f} minutes of training")
