"""The report of an audit as a file: counts, the machine's tools, one line per mutant."""

import json
import os
import platform
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from equimut.data.audit.records import AuditReport, count_program, count_programs
from equimut.data.audit.run import Audited
from equimut.oracle.judging import backend_for, runnable_languages
from equimut.oracle.verdicts import OracleSettings
from equimut.oracle.witness_files import save_witness


def make_report(
    audited: Sequence[Audited], dataset: str, language: str, command: str, settings: OracleSettings
) -> AuditReport:
    """All counts, and the mutants; a witness is kept where it contradicts the label."""
    mutants = [
        one.mutant
        if one.mutant.finding == "refuted"
        else one.mutant.model_copy(update={"witness": None})
        for one in audited
    ]
    return AuditReport(
        dataset=dataset,
        language=language,
        command=command,
        inputs=settings.inputs,
        seed=settings.seed,
        cores=os.cpu_count() or 1,
        tools=_tools(language),
        total=count_program("all", mutants),
        programs=count_programs(mutants),
        mutants=tuple(sorted(mutants, key=lambda one: (one.program, one.function, one.id))),
    )


def report_bytes(report: AuditReport) -> bytes:
    """JSON with one line per mutant; what is empty is left out."""
    fields = report.model_dump(mode="json")
    mutants = fields.pop("mutants")
    kept = [
        {key: value for key, value in one.items() if value not in (None, "")} for one in mutants
    ]
    lines = ",\n  ".join(json.dumps(one, ensure_ascii=False) for one in kept)
    head = json.dumps(fields, ensure_ascii=False, indent=2).removesuffix("\n}")
    return f'{head},\n  "mutants": [\n  {lines}\n  ]\n}}\n'.encode()


def save_witnesses(audited: Sequence[Audited], directory: Path) -> int:
    """A file for every witness against a label, ready for `equimut oracle --replay`."""
    directory.mkdir(parents=True, exist_ok=True)
    number = 0
    for one in audited:
        if one.witness is not None and one.mutant.finding == "refuted":
            name = one.mutant.id.replace(":", "-").replace("/", "-").replace("#", "-")
            save_witness(one.witness, directory / f"{name}.json")
            number += 1
    return number


def _tools(language: str) -> dict[str, str]:
    versions = {"python": platform.python_version()}
    name = backend_for(language).compiler if language in runnable_languages() else ""
    path = shutil.which(name) if name else None
    if name and path:
        done = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=60)
        versions[name] = (done.stdout or done.stderr).splitlines()[0].split()[-1]
    return versions
