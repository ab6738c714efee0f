"""`equimut dev pretrain`: the encoder that ships, from a corpus."""

from pathlib import Path
from typing import Annotated

import typer

from equimut.cli.console import print_line, print_note
from equimut.cli.progress import progress


def pretrain(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The pretraining.")],
    corpus: Annotated[
        Path | None,
        typer.Option("--corpus", metavar="DIR", help="What `equimut dev corpus build` wrote."),
    ] = None,
    tokenizer: Annotated[
        Path | None,
        typer.Option(
            "--tokenizer", metavar="DIR", help="Default: the corpus's tokenizers/bpe-8192."
        ),
    ] = None,
    labels: Annotated[
        bool, typer.Option(help="Also learn from labelled mutants of the corpus.")
    ] = True,
    budget: Annotated[int, typer.Option(help="Steps in total.")] = 3500,
    minutes: Annotated[
        float | None, typer.Option(help="Stop this session after so many minutes.")
    ] = None,
    layers: int = 4,
    hidden: int = 192,
    max_length: Annotated[
        int, typer.Option("--max-length", "--places", help="Positions of an input.")
    ] = 64,
    functions: Annotated[int, typer.Option(help="Functions of the corpus per step.")] = 16,
    pairs: Annotated[int, typer.Option(help="Labelled mutants per step.")] = 32,
    edges: Annotated[
        float, typer.Option(help="Weight of the edge-prediction loss (0 turns it off).")
    ] = 0.0,
    rate: Annotated[float, typer.Option(help="Highest learning rate.")] = 1e-3,
    seed: int = 0,
    every: Annotated[int, typer.Option(help="Steps between checkpoints.")] = 500,
    threads: int | None = None,
) -> None:
    """Pretrain an encoder: masked sub-tokens with the data-flow graph, and labelled mutants.

    Stopped at any time and started again with the same command, it goes on where it was. The
    defaults are those of the encoder that ships; about 90 minutes on two cores.
    """
    from equimut.pretraining.loop.config import PretrainConfig, PretrainData, PretrainProgress
    from equimut.pretraining.loop.pairs import bundled_parts, weighed
    from equimut.pretraining.loop.pretrain import pretrain as run
    from equimut.pretraining.loop.sources import labelled_pairs, open_corpus

    opened = open_corpus(corpus)
    train, held = bundled_parts()
    rows = weighed(train) + (labelled_pairs() if labels else [])
    data = PretrainData(
        opened, tokenizer or opened.directory / "tokenizers" / "bpe-8192", rows, held
    )
    config = PretrainConfig(
        steps=budget, layers=layers, hidden=hidden, intermediate=4 * hidden,
        heads=max(1, hidden // 64), max_length=max_length, nodes=max_length // 4,
        functions=functions, pairs=pairs, edge_weight=edges, rate=rate, seed=seed, threads=threads,
    )  # fmt: skip
    with progress() as bars:

        def report(state: PretrainProgress) -> None:
            masked, equivalent, *_ = (float(part) for part in state.losses)
            speed = f"{state.tokens_per_second:,.0f} tokens/s"
            note = f"{speed}, masked {masked:.2f}, equivalent {equivalent:.2f}"
            bars.show("pretraining", state.step, config.steps, note)

        finished = run(
            config, data, out, minutes=minutes, every=every, progress=report, message=print_note
        )
    print_line(f"{out}: {'finished' if finished else 'stopped; the same command goes on'}")
