"""A check that fails a build: undetected mutants that are not taken as equivalent."""

import json
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from pathlib import Path

from equimut.errors import DataError, EquimutError, GateFailed, NothingToAnalyse
from equimut.scanning.api import FailOn
from equimut.scanning.records import UNDETECTED, ScanResult, ScanVerdict
from equimut.storage.files import read_text, shown, write_bytes

FORMAT = "equimut-baseline-1"
_SHOWN = 3


def open_survivors(verdicts: Iterable[ScanVerdict]) -> dict[str, str]:
    """Undetected mutants that are not taken as equivalent: name -> what people read.

    A mutant is named by its key. One that could not be located has none: it is named by what the
    report says of it, its line included, so it is new when it moves. That errs on the safe side.
    """
    found = {}
    for verdict in verdicts:
        if verdict.mutant.status in UNDETECTED and not verdict.counts:
            found[survivor_name(verdict)] = _described(verdict)
    return found


def survivor_name(verdict: ScanVerdict) -> str:
    """What a baseline calls a mutant."""
    if verdict.key is not None:
        return verdict.key.text
    mutant = verdict.mutant
    parts = (mutant.file, mutant.operator, mutant.description, str(mutant.line), mutant.id)
    text = "\0".join(parts).encode(errors="surrogatepass")
    return f"unlocated-{blake2b(text, digest_size=6).hexdigest()}"


def read_baseline(path: Path) -> dict[str, str]:
    """The survivors that were known when the baseline was made."""
    if not path.exists():
        raise EquimutError(f"{path}: no such baseline; make it with --update-baseline")
    try:
        content = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}: not a baseline: {error}") from error
    survivors = content.get("survivors") if isinstance(content, dict) else None
    known = isinstance(content, dict) and content.get("format") == FORMAT
    if not known or not isinstance(survivors, dict):
        raise DataError(f"{path}: not a baseline; make it anew with --update-baseline")
    return {str(name): str(text) for name, text in survivors.items()}


def write_baseline(path: Path, survivors: Mapping[str, str]) -> None:
    """Write a baseline: sorted by what people read, so that a change of it is easy to review."""
    ordered = dict(sorted(survivors.items(), key=lambda item: (item[1], item[0])))
    text = json.dumps({"format": FORMAT, "survivors": ordered}, indent=1, ensure_ascii=False)
    write_bytes(path, (text + "\n").encode(errors="replace"))


def check_gate(result: ScanResult, fail_on: FailOn, baseline: Mapping[str, str]) -> None:
    """Fail if there are survivors, or survivors that the baseline does not know."""
    if not result.scores.detected + result.scores.undetected:
        raise NothingToAnalyse(
            f"{result.report.path}: it says of no mutant whether it survived, "
            f"so --fail-on {fail_on} has nothing to go by"
        )
    survivors = open_survivors(result.verdicts())
    if fail_on == "new-survivors":
        survivors = {name: text for name, text in survivors.items() if name not in baseline}
    if not survivors:
        return
    new = "new " if fail_on == "new-survivors" else ""
    named = "; ".join(f"{name} {text}" for name, text in list(survivors.items())[:_SHOWN])
    more = f"; and {len(survivors) - _SHOWN:,} more" if len(survivors) > _SHOWN else ""
    many = "s" * (len(survivors) != 1)
    raise GateFailed(f"gate: {len(survivors):,} {new}undetected mutant{many}: {named}{more}")


def _described(verdict: ScanVerdict) -> str:
    mutant = verdict.mutant
    what = verdict.key.change if verdict.key else f"{mutant.operator} {mutant.description}".strip()
    where = verdict.key.function if verdict.key else f"line {mutant.line}"
    return shown(" ".join(f"{mutant.file} {where}: {what}".split())[:200])
