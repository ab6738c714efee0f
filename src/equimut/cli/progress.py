"""Progress bars of the commands: on standard error, gone when the work is done, none in a log."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from equimut.sweep.results import TrialResult
    from equimut.training.fit import Progress as TrainingState


class Bars:
    """One bar per stage of the work, made when the stage is first heard of."""

    def __init__(self, shown: "Progress") -> None:
        self._shown = shown
        self._tasks: dict[str, TaskID] = {}

    def advance(self, stage: str, more: int = 1, total: int | None = None, note: str = "") -> None:
        """So much more of a stage is done."""
        self._shown.update(self._task(stage, total), advance=more, note=note)

    def show(self, stage: str, done: int, total: int | None = None, note: str = "") -> None:
        """So much of a stage is done in all."""
        self._shown.update(self._task(stage, total), completed=done, total=total, note=note)

    def _task(self, stage: str, total: int | None) -> "TaskID":
        if stage not in self._tasks:
            self._tasks[stage] = self._shown.add_task(stage, total=total, note="")
        return self._tasks[stage]


@contextmanager
def progress(in_bytes: bool = False) -> Iterator[Bars]:
    """Bars with counts, time left and a note; switched off where nobody watches."""
    from rich import progress as rich_progress
    from rich.console import Console

    console = Console(stderr=True)
    count = rich_progress.DownloadColumn() if in_bytes else rich_progress.MofNCompleteColumn()
    columns = (
        rich_progress.TextColumn("{task.description}"),
        rich_progress.BarColumn(),
        count,
        rich_progress.TimeRemainingColumn(),
        rich_progress.TextColumn("{task.fields[note]}"),
    )
    with rich_progress.Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as shown:
        yield Bars(shown)


@contextmanager
def counting(
    stage: str, total: int | None = None, in_bytes: bool = False
) -> Iterator[Callable[..., None]]:
    """One bar; what is given advances it, by one or by a number."""
    with progress(in_bytes) as bars:
        yield lambda more=1: bars.advance(stage, more, total)


@contextmanager
def training_progress() -> "Iterator[Callable[[TrainingState], None]]":
    """The steps of a training, with epoch, loss and best score so far."""
    with progress() as bars:
        bars.show("training", 0, note="encoding")

        def report(state: "TrainingState") -> None:
            note = f"epoch {state.epoch + 1}/{state.epochs}"
            note += "" if state.loss is None else f", loss {state.loss:.3f}"
            note += "" if state.best is None else f", best {100 * state.best:.1f}"
            bars.show("training", state.step, state.steps, note)

        yield report


@contextmanager
def trial_progress(total: int | None = None) -> "Iterator[Callable[[TrialResult], None]]":
    """The trials of a sweep, with the last result."""
    with progress() as bars:

        def report(result: "TrialResult") -> None:
            note = ", ".join(
                f"{key.split('.')[-1]} {value}" for key, value in result.varied.items()
            )
            found = result.evaluation
            note += f": F1 {100 * found.scores.macro_f1:.2f}" if found else ": failed"
            bars.advance("trials", total=total, note=note)

        yield report
