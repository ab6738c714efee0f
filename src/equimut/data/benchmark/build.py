"""Builds the verified benchmark: every operator on every origin, every mutant judged.

The result depends on the origins, the operators and the oracle only, so a rebuild gives the same
bytes. What has been judged is kept in a work directory: a build that was stopped goes on.
"""

import hashlib
import json
import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from equimut.data.benchmark.names import row_names
from equimut.data.benchmark.reader import Origin, origins
from equimut.data.store import Evidence, VerifiedPair
from equimut.errors import DataError
from equimut.mutation import mutate
from equimut.oracle.judging import judge_mutants
from equimut.oracle.verdicts import OracleSettings, OracleVerdict, WitnessFile
from equimut.records import Mutant, Record
from equimut.storage.files import code_version, write_bytes

FIRST_LOOK = OracleSettings(inputs=5_000, wall_seconds=300)
SECOND_LOOK = OracleSettings(inputs=10_000, seed=1, wall_seconds=300, prove=False)
"""Survivors of the first look get twice as many inputs, drawn anew."""
ROOMS = ("oracle",)
"""The code that decides what becomes of a mutant; what its mutants are, the texts tell."""


class JudgedOrigin(Record):
    """The verified pairs of one origin, and what had to be left out."""

    pairs: tuple[VerifiedPair, ...]
    stillborn: int
    """Mutants that do not compile."""
    fenced: int
    """Mutants that met the time or memory limit: nothing is known of them."""


@dataclass(frozen=True)
class BuiltLanguage:
    """The benchmark of a language, ready to be packed."""

    language: str
    pairs: tuple[VerifiedPair, ...]
    stillborn: int
    fenced: int


def build(
    language: str,
    work: Path,
    *,
    jobs: int = 2,
    names: Sequence[str] = (),
    on_origin: Callable[[str], None] = lambda name: None,
) -> BuiltLanguage:
    """Judge all mutants of all origins of a language (or of the origins named)."""
    chosen = [origin for origin in origins(language) if not names or origin.name in names]
    if not chosen:
        raise DataError(f"no {language} origin is called {', '.join(names)}")
    version = code_version(ROOMS)
    context = multiprocessing.get_context("spawn")  # a fork copies locks that threads hold
    with ProcessPoolExecutor(jobs, context) as pool:
        futures = {pool.submit(judge_origin, origin, work, version): origin for origin in chosen}
        try:
            for future in as_completed(futures):
                future.result()
                on_origin(futures[future].name)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    judged = [future.result() for future in futures]
    return BuiltLanguage(
        language,
        tuple(pair for part in judged for pair in part.pairs),
        stillborn=sum(part.stillborn for part in judged),
        fenced=sum(part.fenced for part in judged),
    )


def judge_origin(origin: Origin, work: Path, version: str) -> JudgedOrigin:
    """Mutate one origin and judge its mutants, unless the work directory has the answer."""
    text, language = origin.snippet.text, origin.snippet.language
    mutants = mutate(text, language)
    looks = [look.model_dump() for look in (FIRST_LOOK, SECOND_LOOK)]
    identity = [version, origin.model_dump(), [mutant.model_dump() for mutant in mutants], looks]
    digest = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()
    kept = work / f"{language}-{origin.name}-{digest[:16]}.json"
    if kept.exists():
        return JudgedOrigin.model_validate_json(kept.read_bytes())
    verdicts = look_twice(origin, [mutant.mutant_function for mutant in mutants])
    names = row_names(origin.snippet, mutants)
    pairs = tuple(
        _pair(origin, name, mutant, verdict)
        for name, mutant, verdict in zip(names, mutants, verdicts, strict=True)
        if verdict.tier != "unknown"
    )
    faults = [verdict.fault for verdict in verdicts if verdict.tier == "unknown"]
    if "origin" in faults:
        reason = next(verdict.reason for verdict in verdicts if verdict.fault == "origin")
        raise DataError(f"{language} origin {origin.name}: {reason}")
    judged = JudgedOrigin(
        pairs=pairs, stillborn=faults.count("mutant"), fenced=faults.count("sandbox")
    )
    write_bytes(kept, judged.model_dump_json().encode())
    return judged


def look_twice(origin: Origin, mutants: Sequence[str]) -> list[OracleVerdict]:
    """Judge all mutants, then those that survived once more, on other and more inputs."""
    text, language = origin.snippet.text, origin.snippet.language
    verdicts = judge_mutants(text, mutants, language, FIRST_LOOK)
    survivors = [number for number, verdict in enumerate(verdicts) if verdict.tier == "unrefuted"]
    if not survivors:
        return verdicts
    again = judge_mutants(text, [mutants[number] for number in survivors], language, SECOND_LOOK)
    for number, verdict in zip(survivors, again, strict=True):
        tried = verdicts[number].inputs + verdict.inputs
        verdicts[number] = verdict.model_copy(update={"inputs": tried})
    return verdicts


def witness_file(pair: VerifiedPair) -> WitnessFile:
    """The witness of a killed mutant as a file that can be replayed on its own."""
    if pair.evidence.witness is None:
        raise DataError(f"{pair.id} is {pair.evidence.tier}: there is no witness to replay")
    return WitnessFile(
        language=pair.language,
        settings=FIRST_LOOK,
        origin_source=pair.origin,
        mutant_source=pair.mutant,
        witness=pair.evidence.witness,
    )


def _pair(origin: Origin, name: str, mutant: Mutant, verdict: OracleVerdict) -> VerifiedPair:
    language = origin.snippet.language
    return VerifiedPair(
        id=f"{language}/{origin.name}/{name}",
        source="equimut",
        language=language,
        class_id=origin.class_id,
        program=f"{language}/{origin.name}",
        operators=(mutant.operator,),
        origin=mutant.origin_function,
        mutant=mutant.mutant_function,
        label=0 if verdict.tier == "killed" else 1,
        split="",
        evidence=Evidence(
            tier=verdict.tier,
            inputs=verdict.inputs,
            proof=verdict.proof,
            witness=verdict.witness,
        ),
    )
