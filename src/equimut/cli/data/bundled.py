"""`equimut data bundled` and `evidence`: the verified benchmark."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equimut.cli.console import print_change, print_json, print_line, print_note, print_table
from equimut.cli.options import AsJson, Language, Sample, SampleSeed

if TYPE_CHECKING:
    from equimut.data.store import VerifiedPair


def bundled(
    language: Language = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Write the pairs (.jsonl or .jsonl.gz)."),
    ] = None,
    held_out: Annotated[
        int | None,
        typer.Option(
            "--held-out",
            min=1,
            metavar="N",
            help="Write N rows to train on and the rows of origins the shipped encoder never saw.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the verified benchmark that ships with equimut, or write its pairs to a file.

    Wherever a command takes PAIRS, `bundled`, `bundled:java`, `bundled:c` and `bundled:python`
    name it directly.
    """
    from equimut.data.benchmark.reader import BENCHMARK_LANGUAGES, PREFIX, summarise
    from equimut.data.pairs import load_pairs

    if held_out is not None and (out is None or language is not None):
        raise typer.BadParameter("--held-out N goes with --out FILE, and takes all languages")
    if out is not None:
        from equimut.data.store import write_pairs

        if held_out is not None:
            from equimut.pretraining.loop.pairs import benchmark_by_origin

            number = write_pairs(out, benchmark_by_origin(held_out))
            print_line(f"{out}: {held_out} pairs to train on, {number - held_out} to test on")
            return
        number = write_pairs(out, load_pairs(f"{PREFIX}:{language}" if language else PREFIX))
        print_line(f"{out}: {number} pairs")
        return
    summaries = [summarise(name) for name in ([language] if language else BENCHMARK_LANGUAGES)]
    if as_json:
        print_json([summary.model_dump() for summary in summaries])
        return
    rows = [summary.model_dump().values() for summary in summaries]
    print_table(list(type(summaries[0]).model_fields), rows, "verified benchmark")


def evidence(
    identity: Annotated[
        str | None, typer.Argument(metavar="ID", help="The id of a bundled mutant.")
    ] = None,
    sample: Sample = 0,
    seed: SampleSeed = 0,
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help="Write the witness for `oracle --replay`."),
    ] = None,
    as_json: AsJson = False,
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
    found = pair.evidence
    print_line(f"{pair.id}  {pair.operators[0]}  label {pair.label}: {found.tier}", bold=True)
    print_change(pair.origin, pair.mutant)
    if found.witness is not None:
        called = zip(found.witness.parameters, found.witness.arguments, strict=True)
        arguments = ", ".join(f"{name} = {json.dumps(value)}" for name, value in called)
        print_line(f"on {arguments or 'no arguments'}")
        for side in ("origin", "mutant"):
            shown = getattr(found.witness, side).model_dump(exclude_defaults=True)
            print_line(f"  {side}: {json.dumps(shown, ensure_ascii=False)}")
    elif found.proof is not None:
        print_line(f"equivalent: proved ({found.proof})")
    else:
        print_line(f"survived {found.inputs:,} inputs")
