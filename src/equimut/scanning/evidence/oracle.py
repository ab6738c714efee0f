"""Evidence from running the code: all mutants of one function in one batch, on request only."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from json import dumps

from equimut.oracle.judging import backend_for, judge_mutants, runnable_languages
from equimut.oracle.project import ProjectSettings
from equimut.oracle.sandbox.runs import MissingTool
from equimut.oracle.verdicts import OracleSettings, OracleVerdict, Witness
from equimut.records import Tier
from equimut.scanning.evidence.project import ProjectEvidence
from equimut.scanning.records import Candidate, Decision, OracleSummary
from equimut.scanning.tallying import count_reason
from equimut.scanning.verdict_cache import VerdictCache, answer_key
from equimut.storage.files import code_version, counted

WINDOW = 4096
"""Mutants looked at together: those of one function usually follow each other closely."""
WINDOW_CHARACTERS = 32_000_000
_ROOMS = ("languages", "parsing", "oracle")
_PROOFS = {
    "tokens": "only layout or comments differ",
    "compile": "both compile to the same code",
    "exhaustive": "no input of the whole domain tells them apart",
}


class OracleEvidence:
    """Runs the functions of candidates that nothing else has settled."""

    def __init__(
        self,
        settings: OracleSettings,
        cache: VerdictCache,
        progress: Callable[[int], None],
        project: ProjectSettings | None = None,
    ) -> None:
        self._settings = settings
        self._cache = cache
        self._progress = progress
        self._version = code_version(_ROOMS) + settings.model_dump_json()
        self._missing: dict[str, str] = {}
        """Languages whose compiler is not installed, with the message about it."""
        self.notes: list[str] = []
        self._tiers: Counter[Tier] = Counter()
        self._reasons: Counter[str] = Counter()
        self._functions: set[tuple[str, str, int]] = set()
        self._run: set[tuple[str, str, int]] = set()
        self.project = (
            None if project is None else ProjectEvidence(project, settings, cache, self._version)
        )

    @property
    def summary(self) -> OracleSummary:
        """What running them came to."""
        tests = () if self.project is None else self.project.tests.values()
        return OracleSummary(
            tiers=self._tiers,
            reasons=dict(self._reasons.most_common()),
            functions=len(self._functions),
            functions_run=len(self._run),
            tests=sum(map(len, tests)),
            tested=sum(len(test.kills) for each in tests for test in each),
            dropped_tests=0 if self.project is None else self.project.dropped,
        )

    def add(self, candidates: Iterable[Candidate]) -> Iterator[Candidate]:
        """The candidates in their order, settled where running them showed something."""
        window: list[Candidate] = []
        characters = 0
        for candidate in candidates:
            window.append(candidate)
            characters += _size(candidate)
            if len(window) >= WINDOW or characters > WINDOW_CHARACTERS:
                yield from self._window(window)
                window, characters = [], 0
        yield from self._window(window)

    def _window(self, window: list[Candidate]) -> list[Candidate]:
        waiting = [
            position
            for position, candidate in enumerate(window)
            if candidate.settled is None
            and not candidate.check
            and candidate.mutant.change is not None
        ]
        found = self._in_project(window, waiting)
        groups: dict[tuple[str, str, str], list[int]] = {}
        for position in waiting:
            if position not in found or found[position][0].tier != "killed":
                groups.setdefault(_function_of(window[position]), []).append(position)
        for (language, function, origin), positions in groups.items():
            mutants = [_mutant_text(window[position]) for position in positions]
            states = [window[position].state for position in positions if window[position].state]
            verdicts = self._verdicts(origin, mutants, language, function, states)
            for position, verdict in zip(positions, verdicts, strict=True):
                known = found.get(position)
                if known is None or not self._is_hidden(window[position], verdict):
                    found[position] = (_stronger(verdict, known[0] if known else None), "")
            self._progress(len(positions))
        for position in waiting:
            window[position] = self._counted(window[position], *found[position])
        return window

    def _in_project(
        self, window: list[Candidate], waiting: list[int]
    ) -> dict[int, tuple[OracleVerdict, str]]:
        """What running functions where they stand shows, as far as that is possible."""
        found: dict[int, tuple[OracleVerdict, str]] = {}
        files: dict[tuple[str, str], list[int]] = {}
        for position in waiting if self.project is not None else ():
            mutant = window[position].mutant
            if self.project is not None and self.project.runs(window[position]):
                files.setdefault((mutant.language, mutant.file), []).append(position)
        for positions in files.values():
            assert self.project is not None
            answers = self.project.judge([window[position] for position in positions])
            found.update(zip(positions, answers, strict=True))
            self._progress(sum(verdict.tier == "killed" for verdict, _ in answers))
        for note in self.project.notes if self.project is not None else ():
            self._say_once(note)
        return found

    def _is_hidden(self, candidate: Candidate, alone: OracleVerdict) -> bool:
        """Whether it is only the function around a changed one that would see the difference."""
        if self.project is None or alone.tier != "killed":
            return False
        return self.project.is_inner(candidate)

    def _counted(self, candidate: Candidate, verdict: OracleVerdict, test: str) -> Candidate:
        self._tiers[verdict.tier] += 1
        change = candidate.mutant.change
        assert change is not None
        function = candidate.mutant.file, change.function, change.start_line
        self._functions.add(function)
        if verdict.tier == "unknown":
            count_reason(self._reasons, verdict.reason)
        if verdict.tier != "unknown" or verdict.fault != "origin":
            self._run.add(function)
        return with_oracle(candidate, verdict).model_copy(update={"test": test})

    def _verdicts(
        self,
        origin: str,
        mutants: list[str],
        language: str,
        function: str,
        states: list[dict[str, str]],
    ) -> list[OracleVerdict]:
        first = dumps(states)
        keys = [
            answer_key("oracle", self._version, (origin, mutant, language, function, first))
            for mutant in mutants
        ]
        known = [self._cache.get(key, OracleVerdict) for key in keys]
        missing = [number for number, verdict in enumerate(known) if verdict is None]
        if missing:
            asked = [mutants[number] for number in missing]
            found = self._ask(origin, asked, language, function, states)
            for number, verdict in zip(missing, found, strict=True):
                known[number] = verdict
                if language not in self._missing:
                    self._cache.put(keys[number], verdict)
        return [verdict for verdict in known if verdict is not None]

    def _ask(
        self,
        origin: str,
        mutants: list[str],
        language: str,
        function: str,
        states: list[dict[str, str]],
    ) -> list[OracleVerdict]:
        if language in self._missing:
            return [_cannot(self._missing[language])] * len(mutants)
        if language not in runnable_languages():
            return [_cannot(f"the oracle does not run {language}")] * len(mutants)
        if names := backend_for(language).foreign_names([origin, *mutants]):
            reason = f"uses names from outside the function: {', '.join(sorted(names)[:3])}"
            return [_cannot(reason)] * len(mutants)
        settings = self._settings.model_copy(
            update={"function": function if function.isidentifier() else None}
        )
        try:
            found = judge_mutants(origin, mutants, language, settings, states)
            if any(not verdict.network_isolated for verdict in found):
                self._say_once("this system did not let the code run without a network")
            return found
        except MissingTool as error:
            self._missing[language] = str(error)
            self._say_once(f"{language} was not run: {error}")
            return [_cannot(str(error))] * len(mutants)

    def _say_once(self, note: str) -> None:
        if note not in self.notes:
            self.notes.append(note)


def _function_of(candidate: Candidate) -> tuple[str, str, str]:
    change = candidate.mutant.change
    assert change is not None
    return candidate.mutant.language, change.function, change.origin_function


def _stronger(alone: OracleVerdict, known: OracleVerdict | None) -> OracleVerdict:
    """Of what a function shows by itself and what it shows in its project, the surer."""
    if known is None or alone.tier in ("killed", "proved"):
        return alone
    if known.tier == "unknown" and alone.tier == "unrefuted":
        return alone
    return known


def with_oracle(candidate: Candidate, verdict: OracleVerdict) -> Candidate:
    """The candidate with what the oracle found."""
    if verdict.tier == "unknown":
        return candidate.with_remark(f"oracle: {verdict.reason}")
    if verdict.tier == "unrefuted" and verdict.in_project:  # no evidence of equivalence
        return candidate.with_remark(f"oracle: no difference on {counted(verdict.inputs, 'input')}")
    if verdict.tier == "killed":
        settled = Decision(
            word="not-equivalent", tier="killed", reason=witness_line(verdict.witness)
        )
    elif verdict.tier == "proved":
        reason = _PROOFS.get(verdict.proof or "", "proved")
        settled = Decision(word="equivalent", tier="proved", reason=reason)
    else:
        reason = f"no difference on {counted(verdict.inputs, 'input')}"
        settled = Decision(word="equivalent", tier="unrefuted", reason=reason)
    return candidate.model_copy(update={"settled": settled})


def witness_line(witness: Witness | None) -> str:
    """The input that tells two functions apart, and what they do with it."""
    if witness is None:
        return "an input tells them apart"
    pairs = zip(witness.parameters, witness.arguments, strict=True)
    given = ", ".join(f"{name} = {dumps(value, ensure_ascii=False)}" for name, value in pairs)
    given = witness.call or given
    sides = []
    for behaviour in (witness.origin, witness.mutant):
        rest = " ".join(part for part in (behaviour.value, behaviour.detail) if part)
        sides.append(f"{behaviour.outcome} {rest}".strip())
    both = f"{sides[0]} before, {sides[1]} after"
    if sides[0] == sides[1]:
        both = f"{sides[0]} both times, but {_other_effects(witness)}"
    return f"{_short(given) or 'without arguments'}: {_short(both)}"


def _other_effects(witness: Witness) -> str:
    """What differs where the results are the same."""
    one, other = witness.origin, witness.mutant
    differs = {
        "other arguments afterwards": one.arguments != other.arguments,
        "other output": one.output != other.output,
        "other text on standard error": one.errors != other.errors,
    }
    return " and ".join(words for words, differ in differs.items() if differ) or "other effects"


def _cannot(reason: str) -> OracleVerdict:
    return OracleVerdict(tier="unknown", reason=reason, fault="origin")


def _mutant_text(candidate: Candidate) -> str:
    return candidate.mutant.change.mutant_function if candidate.mutant.change else ""


def _size(candidate: Candidate) -> int:
    change = candidate.mutant.change
    return 0 if change is None else len(change.origin_function) + len(change.mutant_function)


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= 160 else plain[:157] + "..."
