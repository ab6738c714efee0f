"""A scan end to end: mutants per second, where the time goes, memory, and what the cache saves.

python benchmarks/scan.py [--mutants N] [--functions N] [--model DIR] [--json]
python benchmarks/scan.py --jdk src.zip [--mutants N] [--files N] [--json]
python benchmarks/scan.py --against DIR [--report FILE | --jdk src.zip] [--mutants N] [--json]

Mutants of our own operators on the functions of the verified benchmark, as an Elements report. The
model is the shipped detector, or else one of its shape with random weights: the time is the same.

With `--against DIR`: the same scans by another checkout of equimut in the same run, processor time
and clock as ratios, and whether both say the same: the example (with and without the prover), one
pair judged, a report by rules and by the model. The two take turns, `--rounds` times, and the
fastest run of each counts.

With `--jdk`: survivors in real files of the JDK, at most three in a function, scanned without a
model and with each budget of the prover: what it proves, and how much longer the scan takes.
"""

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))
SUFFIXES = {"java": ".java", "c": ".c", "python": ".py"}
JDK = re.compile(r"java\.base/java/(util|lang|text|time|math|io|net|nio)/.*(?<!-info)\.java")
LAYERS, HIDDEN = 6, 256
"""The shape of the stand-in."""


def write_report(path: Path, mutants: int, functions: int) -> None:
    """An Elements report: one function per file, `mutants / functions` mutants of each."""
    from equimut.data.benchmark.reader import origins
    from equimut.mutation import mutate
    from oracles.reports.report_files import elements_mutant

    known = [origin for language in SUFFIXES for origin in origins(language)]
    each = mutants // functions
    files: dict[str, Any] = {}
    number = 0
    while len(files) < functions:
        origin, turn = known[number % len(known)], number // len(known)
        number += 1
        language = origin.snippet.language
        source = _renamed(origin.snippet.text, turn)
        found = mutate(source, language)
        if len(found) < each:
            continue
        chosen = [found[place * len(found) // each] for place in range(each)]
        unit = {"java": "utf-16", "c": "bytes", "python": "characters"}[language]
        files[f"{origin.name}_{turn}{SUFFIXES[language]}"] = {
            "language": language,
            "source": source,
            "mutants": [elements_mutant(source, mutant, unit) for mutant in chosen],
        }
    path.write_text(json.dumps({"schemaVersion": "2.0", "thresholds": {}, "files": files}))


def write_jdk_report(path: Path, archive: Path, mutants: int, files: int) -> None:
    """An Elements report over files of the JDK, spread evenly over its packages."""
    from equimut.mutation import mutate
    from oracles.reports.report_files import elements_mutant

    shown: dict[str, Any] = {}
    with ZipFile(archive) as source:
        names = sorted(name for name in source.namelist() if JDK.fullmatch(name))
        each = -(-mutants // files)
        for name in (names[place * len(names) // files] for place in range(files)):
            text = source.read(name).decode()
            chosen = _spread(mutate(text, "java"), each)
            entries = [elements_mutant(text, mutant, "utf-16") for mutant in chosen]
            if entries:
                shown[name] = {"language": "java", "source": text, "mutants": entries}
    path.write_text(json.dumps({"schemaVersion": "2.0", "thresholds": {}, "files": shown}))


def _spread(found: list[Any], most: int) -> list[Any]:
    """At most so many mutants, and at most three of a function, evenly over the file."""
    functions: dict[str, list[Any]] = {}
    for mutant in found:
        functions.setdefault(mutant.origin_function, []).append(mutant)
    few = [mutant for each in functions.values() for mutant in each[:: -(-len(each) // 3)]]
    few.sort(key=lambda mutant: mutant.start_byte)
    return [few[place * len(few) // most] for place in range(most)] if len(few) > most else few


def _renamed(source: str, turn: int) -> str:
    """The same function with other variable names, so that it is another one to every cache."""
    if not turn:
        return source
    return re.sub(r"\b([a-z])\b", rf"\g<1>{turn}", source)


def stand_in(directory: Path) -> Path:
    """A detector of the shipped one's shape, with random weights."""
    from equimut.models.detector import Detector
    from oracles.encoders.tiny_encoder import save_tiny_encoder

    save_tiny_encoder(directory / "encoder", layers=LAYERS, hidden=HIDDEN, heads=4)
    Detector.from_encoder(directory / "encoder").save_pretrained(directory / "detector")
    return directory / "detector"


def one_scan(report: str, model: str, cache: str, budget: str = "none") -> dict[str, Any]:
    """Scan in this process, and say how long each part took and how much memory it needed."""
    begin = time.perf_counter()
    spent: dict[str, float] = {"encoding": 0.0, "model": 0.0}
    from equimut.models.settings import find_model
    from equimut.proofs.budget import BUDGETS
    from equimut.reports.reported import read_report
    from equimut.scanning.pipeline import ScanRequest, scanned
    from equimut.scanning.registry.registry import Registry
    from equimut.storage.worker_pool import cores

    found = find_model(model) if model else None
    _watch(spent)
    read = read_report(Path(report))
    parsed = time.perf_counter()
    request = ScanRequest(
        registry=Registry(Path("/nonexistent")),
        model=found,
        cache=Path(cache),
        budget=BUDGETS[budget],  # type: ignore[index]
        jobs=cores(),
    )
    with scanned(read, request) as result:
        verdicts = sum(1 for _ in result.verdicts())
        proved = result.tiers.get(("proved", "equivalent"), 0)
        stages = dict(result.seconds)
    return {
        "verdicts": verdicts,
        "proved": proved,
        "seconds": time.perf_counter() - begin,
        "processor": time.process_time() + _of_workers(),
        "reading": parsed - begin,
        "evidence": stages["evidence"],
        "prover": stages.get("prover", 0.0),
        "model stage": stages["model"],
        **spent,
        "megabytes": peak_megabytes(),
    }


def _of_workers() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def peak_megabytes() -> float:
    """The most memory this process had; getrusage would count the parent's at the fork too."""
    status = Path("/proc/self/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024  # type: ignore[index]


def _watch(spent: dict[str, float]) -> None:
    """Time what happens inside the model stage, once the model is really loaded."""
    import equimut.scanning.pipeline as predicting

    original = predicting.local_predict

    def watched(directory: Path, jobs: int = 1) -> Any:
        from equimut.inputs.encode import PairEncoder
        from equimut.models import judging

        def timed(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
            def wrapper(*arguments: Any, **options: Any) -> Any:
                start = time.perf_counter()
                try:
                    return work(*arguments, **options)
                finally:
                    spent[name] += time.perf_counter() - start

            return wrapper

        PairEncoder.encode_texts = timed("encoding", PairEncoder.encode_texts)  # type: ignore[method-assign]
        judging.score = timed("model", judging.score)
        return original(directory, jobs)

    def later(directory: Path, jobs: int = 1) -> Any:
        def predict(questions: Any) -> Any:
            first = next(iter(questions), None)
            if first is None:
                return
            from itertools import chain

            yield from watched(directory, jobs)(chain([first], questions))

        return predict

    import equimut.scanning.pipeline as pipeline

    pipeline.local_predict = later


def in_child(report: Path, model: Path | str, cache: Path, budget: str = "none") -> dict[str, Any]:
    """One scan in a process of its own."""
    done = subprocess.run(
        [sys.executable, __file__, "--child", report, model, cache, budget],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "TOKENIZERS_PARALLELISM": "false"},
    )
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def main() -> None:
    """Make the reports, scan them cold and warm, print ratios."""
    if sys.argv[1:2] == ["--child"]:
        print(json.dumps(one_scan(*sys.argv[2:6])))
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutants", type=int, default=10_000)
    parser.add_argument("--functions", type=int, default=500)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--jdk", type=Path, help="src.zip of a JDK: measure the prover")
    parser.add_argument("--files", type=int, default=300)
    parser.add_argument("--budgets", nargs="+", default=["none", "small", "default"])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--against", type=Path, help="another checkout to compare with")
    parser.add_argument("--report", type=Path, help="with --against: an Elements report to scan")
    parser.add_argument("--rounds", type=int, default=1, help="with --against: runs of each")
    parser.add_argument("--only", nargs="+", help="with --against: some of the comparisons")
    options = parser.parse_args()
    if options.against is not None:
        _compare(options)
        return
    if options.jdk is not None:
        _measure_prover(options)
        return
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        model, name = options.model or _shipped(), "given"
        if options.model is None:
            name = "shipped"
        if model is None:
            model, name = stand_in(place), f"random weights, {LAYERS} layers, {HIDDEN} wide"
        small, large = place / "small.json", place / "large.json"
        write_report(small, options.mutants // 10, max(options.functions // 10, 1))
        write_report(large, options.mutants, options.functions)
        tenth = in_child(small, model, place / "cache-small")
        cold = in_child(large, model, place / "cache")
        warm = in_child(large, model, place / "cache")
    found = {"model": name, "tenth": tenth, "cold": cold, "warm": warm}
    if options.json:
        print(json.dumps(found, indent=1))
    else:
        _print(found)


SAME = 1e-4
"""How far apart two probabilities of the same pair may be."""
VERDICTS = """
import json, sys
from contextlib import suppress
from pathlib import Path
with suppress(ImportError):  # as the command does; it did not before
    from equimut.storage.worker_pool import one_thread
    one_thread()
from equimut.models.settings import find_model
from equimut.reports.reported import read_report
from equimut.scanning.pipeline import ScanRequest, scanned
from equimut.scanning.registry.registry import Registry
model = find_model("equimut") if sys.argv[2] == "model" else None
asked = ScanRequest(registry=Registry(Path("/nonexistent")), model=model, jobs=int(sys.argv[3]))
with scanned(read_report(Path(sys.argv[1])), asked) as result:
    for each in result.verdicts():
        print(json.dumps([each.mutant.index, each.tier, each.probability]))
"""


def _kernels() -> dict[str, dict[str, str]]:
    """What the environment tells numpy's library of matrix products, such as for which processor:
    torch has a library of its own, which that does not reach."""
    told = {name: value for name, value in os.environ.items() if name.startswith("OPENBLAS_")}
    return {"told about matrix products": dict(sorted(told.items()))}


def _run(checkout: Path, *command: str | Path) -> tuple[float, float, str]:
    """Processor time, clock, and what a program of a checkout prints."""
    before, begin = _of_workers(), time.perf_counter()
    place = os.pathsep.join(str(checkout / folder) for folder in ("src", "tests"))
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [sys.executable, *command],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        env={**kept, "PYTHONPATH": place, "PYTHONPYCACHEPREFIX": f"/tmp/pyc-{checkout.name}"},
    )
    return _of_workers() - before, time.perf_counter() - begin, done.stdout


def _compare(options: argparse.Namespace) -> None:
    from equimut.storage.worker_pool import cores

    found: dict[str, Any] = {"cores": cores(), "load": os.getloadavg()[0], **_kernels()}
    with tempfile.TemporaryDirectory() as folder:
        report, pair = options.report or Path(folder) / "report.json", Path(folder) / "pair.jsonl"
        if options.report is None and options.jdk is not None:
            write_jdk_report(report, options.jdk, options.mutants, options.files)
        elif options.report is None:
            write_report(report, options.mutants, options.functions)
        row = {"origin": "int f(int a, int b) { return a + b; }", "language": "java"}
        pair.write_text(json.dumps(row | {"mutant": row["origin"].replace("+", "-")}) + "\n")
        example, jobs = ("-m", "equimut", "scan", "--example", "--no-cache"), str(cores())
        commands: dict[str, tuple[str | Path, ...]] = {
            "example": example,
            "example, no prover": example,
            "judge": ("-m", "equimut", "judge", pair),
            "rules": ("-c", VERDICTS, report, "rules", jobs),
            "model": ("-c", VERDICTS, report, "model", jobs),
        }
        for name in options.only or commands:
            found[name] = _compared(name, commands[name], options.against, options.rounds)
    print(json.dumps(found, indent=1))


def _compared(
    name: str, command: tuple[str | Path, ...], against: Path, rounds: int
) -> dict[str, Any]:
    """The fastest of so many runs of each checkout, which take turns."""
    verdicts = name in ("rules", "model")
    runs: dict[Path, list[tuple[float, float, str]]] = {against: [], ROOT: []}
    if verdicts:  # else the first run compiles
        for checkout in runs:
            _run(checkout, "-m", "equimut", "scan", "--example", "--no-cache")
    for _ in range(rounds + (not verdicts)):  # the first turn of a short run compiles
        for checkout, done in runs.items():
            given = command
            if name == "example, no prover" and checkout == ROOT:  # there was none before
                given = (*command, "--prove-budget", "none")
            done.append(_run(checkout, *given))
    before, own = runs.values()
    (work, clock), (own_work, own_clock) = (
        [min(run[part] for run in done) for part in (0, 1)] for done in (before, own)
    )
    found = {
        "processor": [work, own_work, work / own_work],
        "clock": [clock, own_clock, clock / own_clock],
    }
    return found | (_differences(before[-1][2], own[-1][2]) if verdicts else {})


def _differences(said: str, own: str) -> dict[str, int]:
    rows, own_rows = ([json.loads(line) for line in text.splitlines()] for text in (said, own))
    assert [row[0] for row in rows] == [row[0] for row in own_rows]
    pairs = list(zip(rows, own_rows, strict=True))
    chances = [(a[2], b[2]) for a, b in pairs if a[2] is not None and b[2] is not None]
    return {
        "mutants": len(rows),
        "other tier": sum(a[1] != b[1] for a, b in pairs),
        "predicted by both": len(chances),
        "probabilities farther apart than 1e-4": sum(abs(a - b) > SAME for a, b in chances),
    }


def _measure_prover(options: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "jdk.json"
        write_jdk_report(report, options.jdk, options.mutants, options.files)
        found = {
            budget: in_child(report, "", Path(folder) / f"cache-{budget}", budget)
            for budget in options.budgets
        }
        last = options.budgets[-1]
        found["cached"] = in_child(report, "", Path(folder) / f"cache-{last}", last)
    if options.json:
        print(json.dumps({"cores": os.cpu_count(), "load": os.getloadavg()[0], **found}, indent=1))
        return
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; survivors in files of the JDK")
    first = found[options.budgets[0]]
    for budget, run in found.items():
        print(
            f"{budget:<9}{run['verdicts']:>7,} mutants {run['proved']:>6,} proved "
            f"{run['seconds']:>7.1f} s {run['processor']:>7.1f} s of processors "
            f"({run['processor'] / first['processor']:.2f} times) {run['megabytes']:>6,.0f} MB"
        )


def _shipped() -> Path | None:
    from equimut.models.settings import SETTINGS, SHIPPED, model_directory

    directory = model_directory(SHIPPED)
    return directory if (directory / SETTINGS).is_file() else None


def _print(found: dict[str, Any]) -> None:
    tenth, cold, warm = found["tenth"], found["cold"], found["warm"]
    print(f"model: {found['model']}; {os.cpu_count()} cores")
    for name, run in (("cold, a tenth", tenth), ("cold", cold), ("warm", warm)):
        rate = run["verdicts"] / run["seconds"]
        print(
            f"{name:<14}{run['verdicts']:>7,} mutants {run['seconds']:>7.1f} s {rate:>8,.0f}/s "
            f"{run['processor']:>7.1f} s of processors {run['megabytes']:>6,.0f} MB"
        )
    print("cold, where the time goes:")
    other = cold["model stage"] - cold["encoding"] - cold["model"]
    for name, value in (
        ("reading and counting the report", cold["reading"]),
        ("in workers: locating to predictions", cold["evidence"]),
        ("encoding pairs", cold["encoding"]),
        ("model", cold["model"]),
        ("loading the model, the rest of its stage", other),
    ):
        print(f"  {name:<42}{value:>7.1f} s {value / cold['seconds']:>6.0%}")
    wall, work = (cold[name] / warm[name] for name in ("seconds", "processor"))
    print(f"a second scan is {wall:.1f} times as fast (aim: 10), and {work:.1f} times less work")
    growth = cold["megabytes"] / tenth["megabytes"]
    print(f"ten times the mutants take {growth:.2f} times the memory (aim: flat)")
    print(f"{cold['seconds'] / 180:.2f} of the three minutes that 10,000 mutants may take")


if __name__ == "__main__":
    main()
