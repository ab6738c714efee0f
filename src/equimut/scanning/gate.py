"""A check that fails a build: undetected mutants that are not taken as equivalent."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from equimut.errors import DataError, EquimutError, GateFailed, NothingToAnalyse
from equimut.reports.reported import UniqueIds
from equimut.scanning.api import FailOn
from equimut.scanning.records import UNDETECTED, ScanResult, ScanVerdict
from equimut.storage.files import read_text, shown, write_bytes

FORMAT, FORMER = "equimut-baseline-2", "equimut-baseline-1"
"""Former baselines name survivors by their short keys."""
_SHOWN = 3


@dataclass(frozen=True)
class Survivor:
    """An undetected mutant that is not taken as equivalent."""

    name: str
    key: str
    """As a scan shows it."""
    former: str
    """What a baseline of the former format calls it."""
    text: str
    """What people read."""


def open_survivors(verdicts: Iterable[ScanVerdict]) -> list[Survivor]:
    """Undetected mutants that are not taken as equivalent.

    A mutant is named by its change and the statement around it, so that it stays known when other
    lines of its function change; the registry is stricter, because there somebody vouched for the
    whole function. Of several with one name, the second is `name~2`: one more of them is new. A
    mutant that could not be located is named by what the report says of it, its line included, so
    it is new when it moves. That errs on the safe side.
    """
    found: dict[str, Survivor] = {}
    ids = UniqueIds()
    for verdict in verdicts:
        if verdict.mutant.status not in UNDETECTED or verdict.counts:
            continue
        key, text = verdict.key, _described(verdict)
        if key is None:
            name = _unlocated(verdict)
            found[name] = Survivor(name, name, name, text)
        elif key.full not in found:  # a tool may list a mutant twice
            name = ids.add(key.survivor)
            found[key.full] = Survivor(name, key.text, key.before_owners, text)
    return list(found.values())


def _unlocated(verdict: ScanVerdict) -> str:
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
    known = isinstance(content, dict) and content.get("format") in (FORMAT, FORMER)
    if not known or not isinstance(survivors, dict):
        raise DataError(f"{path}: not a baseline; make it anew with --update-baseline")
    return {str(name): str(text) for name, text in survivors.items()}


def write_baseline(path: Path, survivors: Iterable[Survivor]) -> None:
    """Write a baseline: sorted by what people read, so that a change of it is easy to review."""
    ordered = {each.name: each.text for each in sorted(survivors, key=lambda s: (s.text, s.name))}
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
        survivors = [each for each in survivors if not {each.name, each.former} & baseline.keys()]
    if not survivors:
        return
    new = "new " if fail_on == "new-survivors" else ""
    named = "; ".join(f"{each.key} {each.text}" for each in survivors[:_SHOWN])
    more = f"; and {len(survivors) - _SHOWN:,} more" if len(survivors) > _SHOWN else ""
    many = "s" * (len(survivors) != 1)
    raise GateFailed(f"gate: {len(survivors):,} {new}undetected mutant{many}: {named}{more}")


def _described(verdict: ScanVerdict) -> str:
    mutant, key = verdict.mutant, verdict.key
    if key is None:
        what = f"{mutant.operator} {mutant.description}".strip()
        where = "not located" if mutant.line is None else f"line {mutant.line}"
    else:
        what = key.change
        where = ".".join(part for part in (key.owner, key.function) if part)
    return shown(" ".join(f"{mutant.file} {where}: {what}".split())[:200])
