"""What needs no model and runs no code: a person's word, the same tokens, rules."""

from functools import cache
from hashlib import blake2b
from pathlib import Path

from equimut.mutation import identity
from equimut.mutation.identity import ChangeDescription, describe
from equimut.parsing.text_diff import same_code
from equimut.proofs.proving import prove, prove_without
from equimut.proofs.rules.elsewhere import names_elsewhere
from equimut.records import Record
from equimut.reports.reported import Change, ReportedMutant
from equimut.scanning.records import Candidate, Decision
from equimut.scanning.registry.registry import Entry, Registry, key_of
from equimut.scanning.verdict_cache import VerdictCache, answer_key
from equimut.storage.files import GRAMMARS, code_version

_ROOMS = ("languages", "parsing", "semantics", "proofs")


class Reading(Record):
    """What the two texts say by themselves."""

    description: ChangeDescription
    proof: str = ""
    """Why the two are equivalent; empty where the texts do not show it."""


class EvidenceFinder:
    """Looks at one mutant after the other."""

    def __init__(self, registry: Registry, cache: VerdictCache) -> None:
        self._registry = registry
        self._cache = cache
        self.met: set[str] = set()
        """Keys of the accepted equivalents that a mutant has asked for."""

    @property
    def unmet(self) -> int:
        """Accepted equivalents that no mutant has asked for."""
        return sum(entry.key not in self.met for entry in self._registry.entries)

    def examine(self, mutant: ReportedMutant, *, check: bool = False) -> Candidate:
        """Settle a mutant if evidence or a person's word can, or if it cannot be judged at all."""
        change = mutant.change
        if change is None:
            return Candidate(mutant=mutant, check=check, settled=_unknown(mutant))
        reading = self._reading(change, mutant)
        key = key_of(mutant, reading.description)
        settled = None
        if (entry := self._registry.find(key)) is not None:
            if not check:
                self.met.add(entry.key)
            settled = _decided(entry)
        elif not mutant.analysable:
            settled = _unknown(mutant)
        elif reading.proof:
            settled = Decision(word="equivalent", tier="proved", reason=reading.proof)
        return Candidate(mutant=mutant, key=key, check=check, settled=settled)

    def _reading(self, change: Change, mutant: ReportedMutant) -> Reading:
        found = self._read(change, mutant)
        if not found.proof or change.file_text is None:
            return found
        texts = change.origin_function, change.mutant_function
        elsewhere = names_elsewhere(change.file_text, mutant.language, *texts)
        return self._read(change, mutant, elsewhere) if elsewhere else found

    def _read(
        self, change: Change, mutant: ReportedMutant, elsewhere: frozenset[str] = frozenset()
    ) -> Reading:
        """All that a reading takes from the file are names, so they are in its key."""
        texts = change.origin_function, change.mutant_function, mutant.language
        if not self._cache.is_kept:
            return read_texts(*texts, parsed=mutant.analysable, elsewhere=elsewhere)
        key = answer_key("reading", _version(), (*texts, change.scope, *sorted(elsewhere)))
        known = self._cache.get(key, Reading)
        if known is None:
            known = read_texts(*texts, parsed=mutant.analysable, elsewhere=elsewhere)
            self._cache.put(key, known)
        return known


def _decided(entry: Entry) -> Decision:
    """A person's word, against whatever else is known."""
    who = f" ({entry.author}, {entry.date})" if entry.author else f" ({entry.date})"
    if entry.decision == "rejected":
        return Decision(word="not-equivalent", tier="rejected", reason=entry.reason + who)
    return Decision(word="equivalent", tier="accepted", reason=entry.reason + who)


@cache
def _version() -> str:
    """Changes with the code that reads two texts; how results are shown does not matter here."""
    own = b"".join(Path(name).read_bytes() for name in (__file__, identity.__file__))
    return code_version(_ROOMS, GRAMMARS) + blake2b(own, digest_size=8).hexdigest()


def read_texts(
    origin: str,
    mutant: str,
    language: str,
    *,
    parsed: bool = True,
    elsewhere: frozenset[str] = frozenset(),
) -> Reading:
    """Describe a change and, if both texts are parsed functions, try to prove it harmless.

    `elsewhere`: well-known names that mean something else in the file around.
    """
    description = describe(origin, mutant, language)
    return Reading(
        description=description,
        proof=_proof(origin, mutant, language, description, elsewhere) if parsed else "",
    )


def _proof(
    origin: str,
    mutant: str,
    language: str,
    description: ChangeDescription,
    elsewhere: frozenset[str],
) -> str:
    if description.is_layout:
        # The same tokens need not be the same code: a preprocessor line ends with its line.
        return "only layout or comments differ" if same_code(origin, mutant, language) else ""
    if elsewhere:
        rule = prove_without(origin, mutant, language, elsewhere)
    else:
        rule = prove(origin, mutant, language)
    return "" if rule is None else rule.sentence


def _unknown(mutant: ReportedMutant) -> Decision:
    reason = mutant.problem or "not locatable: the report does not say what changes"
    return Decision(word="unknown", tier="unknown", reason=reason)
