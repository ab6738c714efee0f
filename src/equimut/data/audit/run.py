"""The audit of published labels: every mutant that can run is run, and its label compared.

Up to three rounds, each on what the one before left open: ordinary inputs within the domain (what
they kill is refuted without any appeal to corner cases); ordinary values outside the domain, where
a domain is known; everything, with null and the ends of the types.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from equimut.data.audit.entries import ENTRY, entry_for
from equimut.data.audit.programs import (
    find_program,
    named_in,
    reduced,
    through_entry,
    through_function,
    whole_programs,
)
from equimut.data.audit.records import AuditedMutant, How, WitnessKind, finding_of, shortened
from equimut.errors import EquimutError, NothingToAnalyse
from equimut.oracle.judging import judge_mutants, runnable_languages
from equimut.oracle.verdicts import OracleSettings, OracleVerdict, WitnessFile
from equimut.records import Pair

HALVES = "it changes two functions, and the pair is one of them"
KINDS: tuple[WitnessKind, ...] = ("ordinary", "outside domain", "extreme")


@dataclass(frozen=True)
class Units:
    """One origin and its mutants, ready to be judged."""

    how: How
    language: str
    function: str | None
    origin: str
    mutants: tuple[str, ...]


@dataclass(frozen=True)
class Judged:
    """A verdict with what it was reached on, so that a witness can be replayed."""

    verdict: OracleVerdict
    units: Units
    mutant: str
    settings: OracleSettings
    kind: WitnessKind
    """The inputs of its round."""

    def witness_file(self) -> WitnessFile | None:
        """The witness with both sources; None for what was not killed."""
        if self.verdict.witness is None:
            return None
        return WitnessFile(
            language=self.units.language,
            settings=self.settings,
            origin_source=self.units.origin,
            mutant_source=self.mutant,
            witness=self.verdict.witness,
        )


@dataclass(frozen=True)
class Audited:
    """A mutant of the report, and its witness where there is one."""

    mutant: AuditedMutant
    witness: WitnessFile | None


Progress = Callable[[str, int], None]
"""Told the program and the number of mutants that are done."""


def audit_pairs(
    pairs: Sequence[Pair],
    source_dirs: Sequence[Path] = (),
    settings: OracleSettings | None = None,
    progress: Progress = lambda program, number: None,
) -> tuple[Audited, ...]:
    """Judge every pair, origin by origin; in the order of the pairs."""
    settings = settings or OracleSettings()
    if not any(pair.language in runnable_languages() for pair in pairs):
        known = ", ".join(runnable_languages())
        raise NothingToAnalyse(
            f"no pair is in a language the oracle runs ({known}); nothing to audit"
        )
    groups: dict[tuple[str, str, str], list[Pair]] = {}
    for pair in pairs:
        groups.setdefault((pair.language, pair.program, pair.origin), []).append(pair)
    found: dict[str, Audited] = {}
    for (_, program, _), group in groups.items():
        for pair, audited in zip(group, _audit_origin(group, source_dirs, settings), strict=True):
            found[pair.id] = audited
        progress(program, len(group))
    return tuple(found[pair.id] for pair in pairs)


def _audit_origin(
    group: list[Pair], source_dirs: Sequence[Path], settings: OracleSettings
) -> list[Audited]:
    """All mutants of one origin: in its program if that works, on their own otherwise."""
    first = group[0]
    program = find_program(first.program, source_dirs)
    name = None
    whole = [pair for pair in group if not re.search(r"#\d+$", pair.id)]
    rounds: dict[str, list[Judged]] = {}
    if whole and first.language in runnable_languages():
        try:
            name = named_in(program, first.language, first.origin) if program else None
        except EquimutError:
            program = None
        if program is not None and name is not None:
            rounds = _judge_in_rounds(whole, program, name, settings)
        if not rounds or all(_blames_origin(judged) for judged in rounds.values()):
            alone = _judge_in_rounds(whole, None, None, settings)
            # If neither way works, the reason that counts is the one the program gave.
            if not rounds or not all(_blames_origin(judged) for judged in alone.values()):
                rounds = alone
    return [_audited(pair, name or "", rounds.get(pair.id, [])) for pair in group]


def _blames_origin(judged: list[Judged]) -> bool:
    return all(one.verdict.fault == "origin" for one in judged)


def _judge_in_rounds(
    group: list[Pair], program: str | None, name: str | None, settings: OracleSettings
) -> dict[str, list[Judged]]:
    """Round after round, each on what the one before left open."""
    rounds: dict[str, list[Judged]] = {}
    left = group
    entry = entry_for(group[0].program, name) if program and name else None
    for kind in KINDS:
        if kind == "outside domain" and not (entry and entry.requires):
            continue
        units = _units(left, program, name, within_domain=kind == "ordinary")
        if units is None:
            return rounds
        update = {"ordinary": kind != "extreme", "function": units.function}
        chosen = settings.model_copy(update=update)
        verdicts = judge_mutants(units.origin, units.mutants, units.language, chosen)
        for pair, text, verdict in zip(left, units.mutants, verdicts, strict=True):
            rounds.setdefault(pair.id, []).append(Judged(verdict, units, text, chosen, kind))
        # What is proved needs no more inputs; what does not compile will not compile again.
        left = [pair for pair in left if _is_open(rounds[pair.id][-1].verdict)]
        if not left:
            return rounds
    return rounds


def _is_open(verdict: OracleVerdict) -> bool:
    return verdict.tier == "unrefuted" or verdict.fault in ("origin", "sandbox")


def _units(
    group: list[Pair], program: str | None, name: str | None, within_domain: bool
) -> Units | None:
    """The texts to run; None when the program cannot be used."""
    origin, language = group[0].origin, group[0].language
    if program is None or name is None:
        mutants = tuple(pair.mutant for pair in group)
        return Units("function", language, None, origin, mutants)
    form = whole_programs(language)
    if form is None or len(program) > (form.largest or len(program)):
        return None
    entry = entry_for(group[0].program, name)
    texts = [origin, *(pair.mutant for pair in group)]
    if entry is not None:
        program = reduced(program, language, [*texts, entry.text(form, within_domain)])
        made = [through_entry(program, language, {origin: t}, entry, within_domain) for t in texts]
    else:
        program = reduced(program, language, texts)
        made = [through_function(program, language, origin, text) for text in texts]
    present = tuple(text for text in made if text is not None)
    if len(present) < len(texts):
        return None
    how: How = "entry" if entry is not None else "program"
    function = ENTRY if entry is not None else name
    return Units(how, language, function, present[0], present[1:])


def _audited(pair: Pair, name: str, rounds: list[Judged]) -> Audited:
    best = _strongest(rounds) if rounds else None
    runs = pair.language in runnable_languages()
    reason = HALVES if runs else f"the oracle does not run {pair.language}"
    verdict = best.verdict if best else OracleVerdict(tier="unknown", reason=reason)
    mutant = AuditedMutant(
        id=pair.id,
        program=pair.program,
        function=name,
        operators=pair.operators,
        label=pair.label,
        finding=finding_of(pair.label, verdict.tier),
        tier=verdict.tier,
        kind=best.kind if best and verdict.witness is not None else None,
        inputs=sum(one.verdict.inputs for one in rounds),
        how=best.units.how if best else None,
        proof=verdict.proof,
        reason=_reason(verdict.reason),
        witness=shortened(verdict.witness) if verdict.witness is not None else None,
    )
    return Audited(mutant, best.witness_file() if best else None)


def _strongest(rounds: list[Judged]) -> Judged:
    """The last round that knows something, or the last."""
    known = [one for one in rounds if one.verdict.tier != "unknown"]
    return (known or rounds)[-1]


def _reason(text: str) -> str:
    """The reason without names and numbers of the case, so that equal reasons can be counted."""
    if text.startswith("parameter ") or " returns " in text:
        return "a parameter or result type is not supported"
    text = re.sub(r"^(the (?:origin|mutant) does not (?:compile|parse)).*", r"\1", text, flags=re.S)
    text = re.sub(r"^\S+ (has an old-style parameter list).*", r"the origin \1", text)
    return re.sub(r"on \d+ of \d+ inputs", "on most inputs", text)
