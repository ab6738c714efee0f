"""Runs C functions: one translation unit per origin, with the address sanitizer."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from equimut.errors import OracleError
from equimut.oracle.c.units import joint_source, plain_source
from equimut.oracle.inputs.literals import to_tokens
from equimut.oracle.sandbox.process import Limits, run_in_sandbox, work_directory
from equimut.oracle.sandbox.runs import Case, Finding, Findings, read_lines
from equimut.oracle.sandbox.tools import COMPILE_SECONDS, compiled_once, tool

HARNESS = Path(__file__).parent.parent / "harness"
# Variables without a value get a pattern, so that reading one shows and shows again. The handlers
# of undefined behaviour are the harness's own: they cost no fork.
COMPILE = ("-std=gnu17", "-O0", "-g0", "-w", "-fsanitize=address,undefined,float-cast-overflow",
           "-fno-sanitize-recover=all", "-ftrivial-auto-var-init=pattern",
           "-fno-diagnostics-show-caret", "-fdiagnostics-color=never")  # fmt: skip
PROVE = ("-std=gnu17", "-O2", "-g0", "-w", "-S", "-fno-ident", "-fno-asynchronous-unwind-tables")
ASAN = {
    "detect_leaks": "0",
    "handle_segv": "0",
    "handle_sigbus": "0",
    "handle_abort": "0",
    "handle_sigfpe": "0",
    "handle_sigill": "0",
    "allocator_may_return_null": "1",
    "max_allocation_size_mb": "256",
    "max_malloc_fill_size": "65536",
    "detect_stack_use_after_return": "0",
    "quarantine_size_mb": "16",
    "symbolize": "0",
    "print_summary": "0",
}
ERROR = re.compile(r"^unit_(\d+):(\d+):\d+: (?:fatal )?error: (.*)$", re.M)


def gcc() -> str:
    """The compiler."""
    return tool("gcc", "a C compiler with sanitizers is needed to judge C")


def _harness_object() -> Path:
    """The compiled harness."""
    sources = [HARNESS / name for name in ("c_harness.c", "c_harness.h", "c_call.h")]
    options = ("-std=gnu17", "-O2", "-w", "-c", sources[0], "-o")
    made = compiled_once("C", gcc(), sources, lambda place: [*options, place / "harness.o"])
    return made / "harness.o"


def _compile(
    case: Case, sources: Mapping[int, str], directory: Path, check: bool = False
) -> dict[int, str]:
    """Compile units together; the first error of each unit that has one, empty when all is well."""
    path = directory / "units.c"
    path.write_text(
        joint_source(case.signature, sources), encoding="utf-8", errors="surrogateescape"
    )
    kind = ["-fsyntax-only"] if check else ["-c", "-o", directory / "units.o"]
    command = [gcc(), *COMPILE, "-I", HARNESS, *kind, path]
    done = run_in_sandbox(command, directory, Limits(COMPILE_SECONDS))
    if done.code == 0:
        return {}
    errors: dict[int, str] = {}
    for number, line, message in ERROR.findall(done.errors):
        errors.setdefault(int(number), f"line {line}: {message}")
    if not errors:
        lines = [line for line in done.errors.splitlines() if "error" in line]
        raise OracleError(f"the origin does not compile: {(lines or ['gcc gave no reason'])[0]}")
    return errors


def _compile_all(case: Case, directory: Path) -> dict[int, str]:
    """Compile what can be compiled; the others come back with their errors."""
    left = {0: case.origin, **case.mutants}
    stillborn: dict[int, str] = {}
    while True:
        blamed = _compile(case, left, directory)
        if not blamed:
            return stillborn
        # A missing brace is felt by the neighbours too: a unit is guilty only if it fails alone.
        for number in blamed if len(left) > 1 else ():
            alone = {0: case.origin, number: left[number]}
            failed = _compile(case, alone, directory, check=True)
            if 0 in failed and number not in failed:
                failed = {0: failed[0]} if number == 0 else {number: failed[0]}
            stillborn.update(failed)
        if 0 in blamed and (0 in stillborn or len(left) == 1):
            raise OracleError(f"the origin does not compile: {blamed[0]}")
        remaining = {number: text for number, text in left.items() if number not in stillborn}
        if len(remaining) == len(left):
            raise OracleError("gcc blames units that compile on their own; report this, please")
        left = remaining


def _rows(case: Case) -> str:
    types = [parameter.type for parameter in case.signature.parameters]
    rows = (
        " ".join(to_tokens(t, value, "utf-8") for t, value in zip(types, row, strict=True))
        for row in case.inputs
    )
    return "".join(f"{row}\n" for row in rows)


def run_c(case: Case) -> Findings:
    """Run a case; OracleError when the origin itself cannot be judged."""
    harness, settings = _harness_object(), case.settings
    with work_directory() as directory:
        stillborn = _compile_all(case, directory)
        binary, units, results = (
            directory / "run",
            directory / "units.o",
            directory / "results.jsonl",
        )
        command = [gcc(), "-fsanitize=address", "-o", binary, units, harness, "-lm"]
        linked = run_in_sandbox(command, directory, Limits(COMPILE_SECONDS))
        if linked.code != 0:
            lines = [line for line in linked.errors.splitlines() if "undefined reference" in line]
            reason = (lines or linked.errors.splitlines() or ["no reason given"])[0]
            raise OracleError(f"the origin and its mutants do not link: {reason.strip()[-160:]}")
        (directory / "inputs.txt").write_text(_rows(case))
        order = [number for number in case.mutants if number not in stillborn]
        numbers = (case.wanted, settings.origin_steps, settings.least_steps, settings.step_factor,
                   max(1, round(settings.wall_seconds)), settings.memory_mb // 2,
                   int(case.observe), *order)  # fmt: skip
        done = run_in_sandbox(
            [binary, directory / "inputs.txt", results, *map(str, numbers)],
            directory,
            Limits(settings.wall_seconds * (len(order) + 2) + 60),
            {"ASAN_OPTIONS": ":".join(f"{key}={value}" for key, value in ASAN.items())},
        )
        findings = Findings()
        for line in read_lines(results):
            if line["result"] != "done":
                findings.take(line)
        if not findings.valid and not findings.dropped:
            raise OracleError(f"the C harness failed (exit code {done.code}): {done.errors[-200:]}")
        for number, reason in stillborn.items():
            findings.units[number] = Finding("stillborn", reason=f"does not compile: {reason}")
        for number in order if findings.stable else ():
            gone = Finding("stopped", reason="the mutant passed the time limit")
            findings.units.setdefault(number, gone)
        return _with_proofs(case, findings, directory)


def _with_proofs(case: Case, findings: Findings, directory: Path) -> Findings:
    """Mark the survivors whose optimised assembly equals the origin's."""
    alive = [number for number, one in findings.units.items() if one.result == "survived"]
    if not case.settings.prove or not alive:
        return findings
    texts = _assembly(case, {0: case.origin, **{n: case.mutants[n] for n in alive}}, directory)
    for number in alive:
        same = 0 in texts and texts.get(number) == texts[0]
        if same:
            old = findings.units[number]
            findings.units[number] = Finding("survived", tried=old.tried, identical=True)
    return findings


def _assembly(case: Case, sources: Mapping[int, str], directory: Path) -> dict[int, str]:
    """The optimised assembly of every source, without the line that names the file."""
    folder = directory / "assembly"
    folder.mkdir(exist_ok=True)
    for number, text in sources.items():
        plain = plain_source(case.signature, text)
        (folder / f"{number}.c").write_text(plain, encoding="utf-8", errors="surrogateescape")
    names = [f"{number}.c" for number in sources]
    run_in_sandbox([gcc(), *PROVE, *names], folder, Limits(COMPILE_SECONDS))
    return {number: _code(folder / f"{number}.s") for number in _made(folder, sources)}


def _made(folder: Path, numbers: Iterable[int]) -> list[int]:
    return [number for number in numbers if (folder / f"{number}.s").exists()]


def _code(path: Path) -> str:
    lines = path.read_text(errors="replace").splitlines()
    return "\n".join(line for line in lines if not line.lstrip().startswith(".file"))
