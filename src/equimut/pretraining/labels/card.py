"""The card that lies beside labelled pairs: what each label rests on, and what is missing."""

from equimut.pretraining.labels.store import LabelIndex

RESTS_ON = {
    "fact": "a rule proves it from the text",
    "solver": "the prover finds no state in which the two differ",
    "identical code": "gcc makes the same optimised code of both",
    "differs": "the prover has a state in which the whole functions differ, and nothing that it "
    "does not model has a part in that",
    "killed": "the oracle has an input on which they differ",
    "verified": "runs of the verified benchmark; only mutants that neither rules nor prover settle",
    "proved": "the oracle tried every input",
    "unrefuted": "the oracle tried 1,500 inputs",
    "different code": "gcc makes other code; as likely as such mutants are killed in the benchmark",
    "prior": "nothing is proved; as likely as mutants of that form are killed in the benchmark",
}
MISSING = """## What is missing

- **Equivalents that nobody can prove.** A label of 1 rests on a proof, so equivalents by contracts
  of callers, invariants of private fields, or facts about other classes are not here as such. Some
  of them are among the rows that are called different by `prior`, whose weight allows for it.
- **Differences behind calls and loops.** A label of 0 that is sure (`differs`) is about code
  without them; what is behind them is different by `prior` only.
- **A realistic mixture.** Mutants were drawn by operator, not by whether a test suite kills them:
  the share of equivalents is not that of survivors. Whoever fits or measures has to weigh rows.
- A difference that needs a state of fields which no caller ever sets is called different; its
  weight is 0.9.
"""


def label_card(index: LabelIndex) -> str:
    """The card, from the index alone."""
    lines = ["# Labelled mutants", ""]
    lines += [
        f"{index.pairs:,} pairs of {index.origins:,} functions, {index.equivalent:,} of them "
        f"equivalent; seed {index.seed}. Made by `equimut dev labels build`.",
        "",
        "| language | rests on | | label | pairs | functions |",
        "|---|---|---|---:|---:|---:|",
    ]
    lines += [
        f"| {count.language} | `{count.evidence}` | {RESTS_ON.get(count.evidence, '')} "
        f"| {count.label} | {count.pairs:,} | {count.origins:,} |"
        for count in index.counts
    ]
    if index.projects:
        lines += ["", "## Projects", "", "A project is in one part as a whole.", ""]
        lines += ["| language | part | project | pairs | equivalent |", "|---|---|---|---:|---:|"]
        lines += [
            f"| {one.language} | {one.part} | {one.project} | {one.pairs:,} | {one.equivalent:,} |"
            for one in index.projects
        ]
    for reason, number in index.left_out.items():
        lines.append(f"\n{number:,} functions were left out: {reason}.")
    return "\n".join([*lines, "", MISSING])
