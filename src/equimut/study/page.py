"""The study as one HTML page that needs nothing else: no script, no font, no network."""

from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from equimut.analysis.distances import Spread
from equimut.evaluation.comparison import Gain
from equimut.evaluation.metrics import Scores
from equimut.evaluation.significance import p_text
from equimut.study.assembly import Study
from equimut.study.full_length.tables import METRICS
from equimut.study.pictures import SHOWN_METRICS, heat_colours
from equimut.study.published import (
    BEST_CELLS,
    DISTANCES,
    HOURS,
    LANGUAGES,
    MAIN_DATA,
    RATIOS,
    SOURCE,
)
from equimut.study.result_rows import FEW_RUNS, LOSS_NAMES

DASH = "–"
LENGTH_METRICS = {name: Scores.model_fields[name].title for name in METRICS}


def render_page(study: Study, pictures: Mapping[str, bytes], files: Sequence[str] = ()) -> str:
    """The page; pictures are PNG files by name, `files` are linked as the data behind it."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("equimut.study"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    filters: dict[str, Callable[[Any], str]] = {
        "two": lambda value: DASH if value is None else f"{value:.2f}",
        "three": lambda value: DASH if value is None else f"{value:.3f}",
        "points": lambda value: DASH if value is None else f"{100 * value:+.2f}",
        "p": p_text,
        "spread": _spread,
    }
    environment.filters |= filters
    return environment.get_template("study.html").render(
        study=study,
        answer=answer(study),
        anchors=_anchors(study),
        files=files,
        pictures={name: b64encode(content).decode() for name, content in pictures.items()},
        heat=heat_colours,
        scale=[heat_colours(step / 8, 0, 1)[0] for step in range(9)],
        languages=LANGUAGES,
        loss_names=LOSS_NAMES,
        metrics=SHOWN_METRICS,
        length_metrics=LENGTH_METRICS,
        few_runs=FEW_RUNS,
        best_cells=BEST_CELLS,
        source=SOURCE,
        published_distances=DISTANCES,
        published_ratios=RATIOS,
        published_hours=HOURS,
    )


def answer(study: Study) -> str:
    """What came out, in one paragraph."""
    gains = list(_gains(study, "cpl", "base").values())
    text = "Nothing was run that compares cluster purge loss with cross-entropy alone."
    if gains:
        above = sum(gain.settled and gain.mean > 0 for gain in gains)
        below = sum(gain.settled and gain.mean < 0 for gain in gains)
        text = (
            f"Cluster purge loss is better than cross-entropy alone in {above or 'none'} of "
            f"{len(gains)} comparisons (one per language and protocol, macro-F1), worse in "
            f"{below or 'none'}; in {len(gains) - above - below} the 95 % interval contains zero."
        )
    regression = _gains(study, "cpl", "edit-lr").get((MAIN_DATA, "paper"))
    if regression is not None:
        way = "ahead of" if regression.mean > 0 else "behind"
        sure = "" if regression.settled else ", which may be chance"
        text += (
            f" On {LANGUAGES[MAIN_DATA]} under the paper's protocol it is "
            f"{abs(100 * regression.mean):.2f} points {way} a logistic regression on the "
            f"edit{sure}."
        )
    ratios = study.analysis and study.analysis.distances[0]
    if ratios and ratios.before.ratio is not None and ratios.after.ratio is not None:
        text += (
            " The ratio of mean distances to the origin, non-equivalent over equivalent mutants, "
            f"goes from {ratios.before.ratio:.2f} to {ratios.after.ratio:.2f} "
            f"(paper: {RATIOS[0]:.2f} to {RATIOS[1]:.2f})."
        )
    return f"{text} {_counts(study)}"


def _counts(study: Study) -> str:
    verdicts = [claim.verdict for claim in study.claims]
    yes, no = verdicts.count("supported"), verdicts.count("not supported")
    return (
        f"Of {len(verdicts)} claims, {yes} {_are(yes)} supported, {no} {_are(no)} not, and "
        f"{len(verdicts) - yes - no} {_are(len(verdicts) - yes - no)} inconclusive."
    )


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _gains(study: Study, first: str, second: str) -> dict[tuple[str, str], Gain]:
    """The difference of two predictors in macro-F1, by language and protocol."""
    return {
        (language.language, table.protocol): each.gains["macro_f1"]
        for language in study.languages
        for table in language.protocols
        for each in table.contrasts
        if (each.first, each.second) == (first, second)
    }


def _anchors(study: Study) -> set[str]:
    """Where the page shows evidence."""
    found = {"distances"} if study.analysis else set()
    for each in study.languages:
        shown = [table.protocol for table in each.protocols if table.rows]
        found |= {f"{each.language}-{part}" for part in ("table", "grids", *shown)}
    return found


def _spread(spread: Spread | None) -> str:
    return DASH if spread is None else f"{spread.mean:.3f} ± {spread.deviation:.3f}"
