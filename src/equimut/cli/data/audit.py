"""`equimut data audit`: what running the mutants says of their published labels."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equimut.cli.console import print_json, print_line, print_note, print_table
from equimut.cli.options import AsJson
from equimut.cli.progress import counting

if TYPE_CHECKING:
    from equimut.data.audit.records import AuditReport

COLUMNS = {
    "mutants": "all",
    "judged": "run",
    "killed_as_labelled": "0 dead",
    "not_killed": "0 live",
    "refuted_by_proof": "0 same",
    "equivalent": "1",
    "proved_as_labelled": "1 same",
    "unrefuted_as_labelled": "1 live",
    "refuted_by_ordinary_input": "1 dead",
    "refuted_outside_domain": "outside",
    "refuted_by_extreme_input": "extreme",
}
LEGEND = """\
0: labelled not equivalent. dead: killed. live: no input killed it. same: proved equivalent.
1: labelled equivalent. same: proved. live: unrefuted. dead: an ordinary input kills it;
   only one outside the program's domain; only an extreme one (null, NaN, the ends of a type)."""


def audit(
    pairs: Annotated[Path, typer.Argument(metavar="PAIRS", help="A .jsonl or .jsonl.gz file.")],
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the report here.")] = None,
    as_json: AsJson = False,
    inputs: Annotated[
        int, typer.Option(min=1, max=1_000_000, help="Inputs per origin and round.")
    ] = 5_000,
    seed: Annotated[int, typer.Option(help="Mixed with the text of the origin.")] = 0,
    source_dir: Annotated[
        list[Path] | None,
        typer.Option("--source-dir", metavar="DIR", help="Where the whole programs are."),
    ] = None,
    program: Annotated[
        list[str] | None, typer.Option("--program", help="Only mutants of this program.")
    ] = None,
    witnesses: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write a witness per refuted label here.")
    ] = None,
) -> None:
    """Run every mutant that can run next to its origin and compare with its published label.

    This executes the code of the dataset, in a child process with limits (see docs/oracle.md).
    """
    from equimut.data.audit.report import make_report, report_bytes, save_witnesses
    from equimut.data.audit.run import audit_pairs
    from equimut.data.store import read_pairs
    from equimut.errors import DataError, NothingToAnalyse
    from equimut.oracle.verdicts import OracleSettings
    from equimut.storage.files import write_bytes

    for directory in source_dir or []:
        if not directory.is_dir():
            raise DataError(f"{directory} is not a directory; --source-dir holds the programs")
    chosen = [one for one in read_pairs(pairs) if not program or one.program in program]
    if not chosen:
        raise NothingToAnalyse(f"{pairs} holds no mutant of {', '.join(program or [])}")
    settings = OracleSettings(inputs=inputs, seed=seed)
    with counting("mutants", len(chosen)) as advance:
        audited = audit_pairs(
            chosen, source_dir or [], settings, lambda program, number: advance(number)
        )
    command = f"equimut data audit {pairs.name} --inputs {inputs} --seed {seed}"
    command += " --source-dir programs" if source_dir else ""
    report = make_report(audited, chosen[0].source, chosen[0].language, command, settings)
    if out is not None:
        write_bytes(out, report_bytes(report))
        print_note(f"report written to {out}")
    if witnesses is not None:
        number = save_witnesses(audited, witnesses)
        print_note(f"{number} witnesses in {witnesses}; run one: equimut oracle --replay FILE")
    if as_json:
        print_json(report.model_dump(mode="json"))
    else:
        _print_table(pairs, report)
    if report.total.judged == 0:
        raise NothingToAnalyse(f"{pairs}: none of {report.total.mutants} mutants could be judged")


def _print_table(path: Path, report: "AuditReport") -> None:
    named = [(one.program or "(not named)", one) for one in report.programs]
    print_table(
        ["program", *COLUMNS.values()],
        [
            [name, *(getattr(one, column) for column in COLUMNS)]
            for name, one in [*named, ("all", report.total)]
        ],
        f"labels of {path.name}",
    )
    print_line(LEGEND)
    for reason, number in report.total.reasons.items():
        print_line(f"not judged {number}: {reason}")
    refuted = [one for one in report.mutants if one.finding == "refuted"]
    for wrong in refuted[:10]:
        shown = json.dumps(wrong.witness.arguments) if wrong.witness else wrong.proof
        where = f"{wrong.id} ({wrong.program}, label {wrong.label})"
        print_line(f"refuted: {where}: {wrong.kind or 'proof'}: {shown}")
    if len(refuted) > 10:
        print_line(f"... and {len(refuted) - 10} more; --out or --json gives all of them")
