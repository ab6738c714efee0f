"""`equimut judge`: verdicts on pairs, as a stream."""

from pathlib import Path
from typing import Annotated

import typer

from equimut.cli.console import print_json, print_note
from equimut.cli.options import (
    Address,
    Engine,
    ProveBudget,
    ProverJobs,
    Workers,
    budget_of,
    cluster_of,
)
from equimut.cli.progress import counting
from equimut.errors import NothingToAnalyse


def judge(
    pairs: Annotated[
        Path,
        typer.Argument(
            metavar="PAIRS", help="JSON lines with origin, mutant and language; - for stdin."
        ),
    ],
    model: Annotated[
        Path, typer.Option("--model", metavar="DIR", help="A run, or a saved detector.")
    ] = Path("equimut"),
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="The verdicts (default: standard output)."),
    ] = None,
    min_precision: Annotated[
        float | None,
        typer.Option(
            help="Answer `equivalent` only above the threshold that promises this precision "
            "(the lower bound on held-out rows)."
        ),
    ] = None,
    prove_budget: ProveBudget = None,
    jobs: ProverJobs = None,
    engine: Engine = "local",
    address: Address = None,
    workers: Workers = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="With --out: print the summary as JSON.")
    ] = False,
) -> None:
    """Judge pairs: each row comes back with verdict, tier, probability, distance and reason.

    Proofs come first, as in a scan: rules, then a solver (--prove-budget); the model is asked
    about the rest.

    Rows are read, judged and written as they come, so their number does not matter. A row that
    cannot be judged comes back as `unknown`, with the reason.

    Example: equimut judge survivors.jsonl --model runs/cpl --out verdicts.jsonl
    """
    from equimut.storage.worker_pool import cores, one_thread

    one_thread()
    from equimut.models.bulk.judge_file import judge_file
    from equimut.models.bulk.proof_first import ProofFirst
    from equimut.models.runtime import load_model

    first = ProofFirst(budget_of(prove_budget or "default"), jobs or cores())
    cluster = cluster_of(engine, address, workers)
    judging = None
    if cluster is not None:
        from equimut.models.bulk.ray_judging import ray_judging

        judging = ray_judging(model, cluster)
    detector = load_model(model)
    with counting("judging") as advance:
        counts = judge_file(detector, pairs, out, min_precision, advance, judging, first)
    for reason, count in first.lost.items():
        print_note(f"note: the prover gave no answer {count:,} times: {reason}")
    total = sum(counts.values())
    summary = ", ".join(f"{number} {verdict}" for verdict, number in counts.items() if number)
    if out is not None and as_json:
        print_json({"out": str(out), "rows": total, **counts})
    else:
        print_note(f"{total} rows: {summary}")
    if total == counts["unknown"]:
        raise NothingToAnalyse(f"none of {total} rows could be judged; the reasons are in the rows")
