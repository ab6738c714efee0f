"""Values for annotated parameters, drawn by Hypothesis where the project's interpreter has it.

Hypothesis is imported in child processes only: the process that calls the code under test never
holds it. What it draws is kept as recipes, like everything that arguments are made from.
"""

import contextlib
import importlib.util
import inspect
import io
import json
import os
import random
import signal
import types
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any

from project_inputs import (  # type: ignore[import-not-found]  # its neighbours, found as a script
    LISTS,
    MAPPINGS,
    SETS,
)
from project_processes import Report, in_child  # type: ignore[import-not-found]
from project_recording import Recorder  # type: ignore[import-not-found]
from project_values import Encoder, build  # type: ignore[import-not-found]

MOST_VALUES = 60
"""Examples drawn for one parameter."""
SECONDS, WALL = 10.0, 40.0
"""Of the processor and of the clock, for one parameter.

A type that needs more gets no values: some of them would be others in the next run.
"""
SCALARS = (bool, int, float, str, bytes, object, type(None), None, Any, inspect.Parameter.empty)
CONTAINERS = (*LISTS, *SETS, *MAPPINGS, tuple, typing.Union, types.UnionType)
Recipe = Any


def is_plain(hint: Any) -> bool:
    """Whether a type is made of plain values, which need no help."""
    origin = typing.get_origin(hint)
    if Callable in (hint, origin) or isinstance(hint, (str, typing.ForwardRef, typing.TypeVar)):
        return True
    if origin in CONTAINERS:
        return all(is_plain(each) for each in typing.get_args(hint) if each is not ...)
    return any(hint is each for each in (*SCALARS, *CONTAINERS))


def drawn_values(
    job: dict[str, Any], function: str, hints: dict[str, Any]
) -> dict[str, list[Recipe]]:
    """Recipes by parameter, of those whose type is not plain; none without Hypothesis."""
    wanted = {name: hint for name, hint in hints.items() if not is_plain(hint)}
    if not wanted or importlib.util.find_spec("hypothesis") is None:
        return {}
    report = Report(f"{job['results']}.drawn")
    in_child(lambda: _draw_all(job, function, wanted, report), WALL * (len(wanted) + 1))
    found = {line["name"]: line["values"] for line in report.lines()}
    os.close(report.file)
    os.remove(report.path)
    return {name: values for name, values in found.items() if values}


def _draw_all(job: dict[str, Any], function: str, wanted: dict[str, Any], report: Report) -> None:
    """Report the values of each parameter, each from a child process of its own."""
    home = f"{job['results']}.hypothesis"
    os.makedirs(home, exist_ok=True)
    os.chdir(home)  # where it is imported it keeps its tables, for the next function
    from hypothesis.strategies import text

    _give(text(), 0, lambda value: None)  # makes the tables, here and not in every child
    for name, hint in wanted.items():
        number = random.Random(f"{job['seed']} {function} {name}").getrandbits(64)

        def work(name: str = name, hint: Any = hint, number: int = number) -> None:
            signal.signal(signal.SIGPROF, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            report.write(name=name, values=_draw(hint, number, job["root"]))

        in_child(work, WALL)


def _draw(hint: Any, number: int, root: str) -> list[Recipe]:
    """Different values of one type, those that a recipe describes."""
    from hypothesis import reject
    from hypothesis.errors import HypothesisException
    from hypothesis.strategies import composite, from_type

    recorder = Recorder(Path(root.rstrip("/")))
    found: dict[str, Recipe] = {}

    @composite
    def fine(draw: Any) -> Any:
        try:
            return draw(from_type(hint))
        except HypothesisException:
            raise
        except Exception:  # noqa: BLE001  # a constructor that refuses its arguments
            reject()

    def keep(value: Any) -> None:
        with contextlib.suppress(Exception):  # what no recipe describes, or does not build again
            recipe = Encoder(recorder.recipe).encode(value)
            build(recipe)
            found[json.dumps(recipe)] = recipe

    recorder.start()
    with contextlib.suppress(Exception, SystemExit):  # no strategy for it, or none that works
        _give(fine(), number, keep)
    recorder.stop()
    return list(found.values())


def _give(strategy: Any, number: int, take: Callable[[Any], None]) -> None:
    """Let something take the examples of a strategy, the same ones for the same number."""
    from hypothesis import HealthCheck, Phase, given, seed, settings

    giving: Any = given(strategy)
    bounded = settings(
        max_examples=MOST_VALUES,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        bounded(seed(number)(giving(take)))()
