"""The model card that goes with saved weights."""

from collections.abc import Sequence

from equimut.models.detector import Detector
from equimut.models.settings import MIN_PRECISION, REJECTION_PRECISION, Measured

_HEADER = """---
library_name: equimut
tags: [equivalent-mutants, mutation-testing, code]
---
# An equimut detector

Says of an origin and a mutant (Java, C or Python functions) whether they behave the same.

```python
from equimut import Detector

detector = Detector.from_pretrained("this directory")
origin, mutant = "int f(int x) { return x; }", "int f(int x) { return x++; }"
judgement = detector.judge(origin, mutant, "java")
print(judgement.verdict, judgement.probability)
```
"""


def model_card(detector: Detector) -> str:
    """The card, from the detector's own settings."""
    settings = detector.settings
    came, calibration = settings.provenance, settings.calibration
    weights = sum(parameter.numel() for parameter in detector.parameters())
    facts = {
        "encoder": settings.encoder,
        "parameters": f"{weights:,}",
        "input": f"{settings.limits.name}, {settings.limits.max_length} positions",
        "pooling": settings.pooling,
        "loss": came.loss or "not trained",
        "data": came.data or "-",
        "protocol": came.protocol or "-",
        "epoch selected on": came.selection or "-",
        "seed": came.seed,
        **({"epochs": f"{came.epochs:g}"} if came.epochs else {}),
        "languages": ", ".join(came.languages) or "-",
    }
    lines = [_HEADER, "## What it is\n", "| | |", "|---|---|"]
    lines += [f"| {name} | {value} |" for name, value in facts.items()]
    lines.append("\n## Calibration\n")
    if calibration is None:
        lines.append("None: the probabilities are those of the head, and promise nothing.")
    else:
        lines.append(
            f"Temperature {calibration.temperature:.3f}, offset {calibration.offset:.3f}, from "
            f"{calibration.rows:,} {calibration.source or 'validation rows'}.\n"
        )
        lines += ["| target precision | threshold | reached | at least (95 %) | recall | rows |"]
        lines += ["|---|---|---|---|---|---|"]
        lines += [
            f"| {t.precision:g} | {t.threshold:.3f} | {t.achieved:.3f} | {t.lower_bound:.3f} "
            f"| {t.recall:.3f} | {t.support} |"
            for t in calibration.targets
        ]
        decided = calibration.thresholds(MIN_PRECISION)
        lines.append(f"\nEquivalent at the default of a scan: {decided.basis}.")
        if decided.not_equivalent_to is not None:
            lines.append(
                f"Not equivalent (at least {REJECTION_PRECISION:g} of these are not): up to a "
                f"probability of {decided.not_equivalent_to:.3f}. Between the two it is undecided."
            )
    lines += _measured(settings.measured)
    lines.append(
        "\n## Limits\n\nA prediction is an opinion, not a proof. Functions in other languages, "
        "functions that do not parse and edits out of sight are not judged."
    )
    return "\n".join(lines) + "\n"


def _measured(measured: Sequence[Measured]) -> list[str]:
    """The table of what it reached on rows it never saw."""
    if not measured:
        return []
    lines = ["\n## Quality on rows it never saw\n"]
    lines += ["| rows | pairs | equivalent | average precision | 95 % | macro-F1 | baseline |"]
    lines += ["|---|---:|---:|---:|---|---:|---|"]
    lines += [
        f"| {one.rows} | {one.pairs:,} | {one.base_rate:.3f} | {one.average_precision:.3f} "
        f"| {one.low:.3f}–{one.high:.3f} | {100 * one.macro_f1:.1f} | {one.baseline or '-'} |"
        for one in measured
    ]
    return lines
