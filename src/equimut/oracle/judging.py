"""The judge: one origin, many mutants, a verdict with evidence for each."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from equimut import oracle
from equimut.errors import EquimutError, OracleError
from equimut.languages import LANGUAGES
from equimut.oracle.backend import Backend
from equimut.oracle.closed import is_closed
from equimut.oracle.inputs.literals import from_json, to_json
from equimut.oracle.inputs.sampling import Arguments, InputMaker
from equimut.oracle.sandbox.process import network_isolated
from equimut.oracle.sandbox.runs import Case, Finding, Findings, MissingTool
from equimut.oracle.signature import Signature
from equimut.oracle.verdicts import Behaviour, OracleSettings, OracleVerdict, Witness, WitnessFile
from equimut.parsing.text_diff import same_code

POOL = 1.5
"""Inputs made per input wanted: some lie outside the origin's domain."""
SECOND_POOL = 6
FEWEST_SHARE = 0.02
"""An origin that behaves on a smaller share of its inputs than this is not judged."""


@cache
def runnable_languages() -> tuple[str, ...]:
    """The languages that the oracle runs: those with a folder of their name here."""
    folders = {module.name for module in iter_modules(oracle.__path__) if module.ispkg}
    return tuple(name for name in LANGUAGES if name in folders)


@cache
def backend_for(language: str) -> Backend:
    """The backend of a language; its modules are imported on first use."""
    if language not in runnable_languages():
        known = ", ".join(runnable_languages())
        raise OracleError(f"the oracle does not run {language}; it runs {known}")
    backend = import_module(f"{oracle.__name__}.{language}.backend").BACKEND
    assert isinstance(backend, Backend)
    return backend


def judge(
    origin: str, mutant: str, language: str, settings: OracleSettings | None = None
) -> OracleVerdict:
    """Judge one mutant."""
    return judge_mutants(origin, [mutant], language, settings)[0]


def judge_mutants(
    origin: str,
    mutants: Sequence[str],
    language: str,
    settings: OracleSettings | None = None,
    states: Sequence[Mapping[str, str]] = (),
) -> list[OracleVerdict]:
    """Judge all mutants of one origin together; verdicts in the order of the mutants.

    `states` are values of parameters, by name, that may tell some of them apart: tried first.

    Fast because it is one batch: one compilation, one child process. What cannot be judged comes
    back as `unknown` with a reason; only a missing compiler raises.
    """
    settings = settings or OracleSettings()
    backend = backend_for(language)
    numbers: dict[str, int] = {}
    for text in mutants:
        numbers.setdefault(text, len(numbers) + 1)
    try:
        signature = backend.read_signature(origin, settings.function)
        verdicts = _judge_distinct(backend, signature, origin, numbers, language, settings, states)
    except MissingTool:
        raise
    except EquimutError as error:
        unknown = OracleVerdict(tier="unknown", reason=str(error), fault="origin")
        return [unknown] * len(mutants)
    return [verdicts[numbers[text]] for text in mutants]


def _judge_distinct(
    backend: Backend,
    signature: Signature,
    origin: str,
    numbers: dict[str, int],
    language: str,
    settings: OracleSettings,
    states: Sequence[Mapping[str, str]],
) -> dict[int, OracleVerdict]:
    same = {number for text, number in numbers.items() if same_code(origin, text, language)}
    rest = {number: text for text, number in numbers.items() if number not in same}
    verdicts = {number: OracleVerdict(tier="proved", proof="tokens") for number in same}
    if not rest:
        return verdicts
    maker = InputMaker(signature, origin, settings.seed, settings.ordinary)
    inputs = maker.whole_domain(settings.exhaustive_limit)
    whole = inputs is not None
    wanted = len(inputs) if inputs is not None else settings.inputs
    if inputs is None:
        inputs = [*maker.like(states), *maker.batch(int(wanted * POOL), first=True)]
    case = Case(signature, origin, rest, inputs, wanted, settings)
    findings = backend.run(case)
    if not whole and findings.dropped and 0 < len(findings.valid) < wanted:
        more = [*inputs, *maker.batch(int(wanted * (SECOND_POOL - POOL)), first=False)]
        case = Case(signature, origin, rest, more, wanted, settings)
        findings = backend.run(case)
    _check_origin(findings, len(case.inputs))
    whole = whole and not (findings.endless or findings.memory or findings.ended)
    whole = whole and not findings.opaque and is_closed(origin, language)
    for number, text in rest.items():
        complete = whole and is_closed(text, language)
        verdicts[number] = _verdict(case, findings, findings.units[number], complete)
    return verdicts


def _check_origin(findings: Findings, made: int) -> None:
    """Refuse an origin that cannot serve as the yardstick."""
    if not findings.stable:
        raise OracleError(
            "the origin does not repeat its own behaviour on the same inputs "
            "(it keeps state, or depends on time or chance)"
        )
    tried = len(findings.valid) + findings.dropped
    if len(findings.valid) > FEWEST_SHARE * tried:
        return
    reasons = {
        "loops for ever (it passed the step budget)": findings.endless,
        "crashes, overflows the stack or is undefined": findings.crashed,
        "runs out of memory": findings.memory,
        "returns what has no text to compare (a function, a bare object)": findings.opaque,
        "ends its process, closes its channels or passes the time limit": findings.ended,
    }
    reason = max(reasons, key=lambda key: reasons[key])
    raise OracleError(
        f"the origin {reason} on {reasons[reason]} of {tried} inputs; nothing to compare with"
    )


def _verdict(case: Case, findings: Findings, finding: Finding, whole: bool) -> OracleVerdict:
    counts: dict[str, Any] = {
        "inputs": finding.tried,
        "dropped": findings.dropped,
        "network_isolated": network_isolated(),
    }
    if finding.result == "killed":
        witness = _witness(case, finding)
        return OracleVerdict(tier="killed", witness=witness, **counts)
    if finding.result == "stillborn":
        reason = f"the mutant {finding.reason}"
        return OracleVerdict(tier="unknown", reason=reason, fault="mutant", **counts)
    if finding.result == "stopped":
        return OracleVerdict(tier="unknown", reason=finding.reason, fault="sandbox", **counts)
    if finding.identical:
        return OracleVerdict(tier="proved", proof="compile", **counts)
    if finding.short:
        reason = f"the mutant ran out of memory on {finding.short} inputs and agreed on the others"
        return OracleVerdict(tier="unknown", reason=reason, fault="sandbox", **counts)
    if whole:
        return OracleVerdict(tier="proved", proof="exhaustive", **counts)
    return OracleVerdict(tier="unrefuted", **counts)


def _witness(case: Case, finding: Finding) -> Witness:
    parameters = case.signature.parameters
    pairs = zip(parameters, case.inputs[finding.input], strict=True)
    return Witness(
        parameters=tuple(parameter.name for parameter in parameters),
        arguments=tuple(to_json(parameter.type, value) for parameter, value in pairs),
        origin=Behaviour.model_validate(finding.origin),
        mutant=Behaviour.model_validate(finding.mutant),
    )


def replay(file: WitnessFile) -> Witness:
    """Run origin and mutant once more on the input of a witness and give what they do now."""
    backend = backend_for(file.language)
    signature = backend.read_signature(file.origin_source, file.settings.function)
    if len(signature.parameters) != len(file.witness.arguments):
        raise OracleError(
            f"the witness has {len(file.witness.arguments)} arguments, "
            f"{signature.name} takes {len(signature.parameters)}"
        )
    pairs = zip(signature.parameters, file.witness.arguments, strict=True)
    try:
        row: Arguments = tuple(from_json(parameter.type, value) for parameter, value in pairs)
    except ValueError as error:
        raise OracleError(f"the witness does not fit {signature.name}: {error}") from error
    settings = file.settings.model_copy(update={"prove": False})
    mutants = {1: file.mutant_source}
    case = Case(signature, file.origin_source, mutants, [row], 1, settings, observe=True)
    findings = backend.run(case)
    _check_origin(findings, 1)
    finding = findings.units[1]
    if finding.result != "killed":
        raise OracleError(f"the witness cannot be replayed: the mutant {finding.reason}")
    return _witness(case, finding)
