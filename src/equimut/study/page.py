"""The study as one HTML page that needs nothing else: no script, no font, no network."""

from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from equimut.analysis.distances import Spread
from equimut.study.claims import Verdict, p_text
from equimut.study.heat import heat_colours
from equimut.study.matrix import Matrix
from equimut.study.published import BEST_CELLS, DISTANCES, HOURS, RATIOS, SOURCE
from equimut.study.study import LANGUAGES, Study


@dataclass(frozen=True)
class HeatCell:
    """A cell as the template draws it."""

    precision: str
    recall: str
    f1: str
    background: str
    ink: str
    best: bool
    published_best: bool


def render_page(study: Study, pictures: Mapping[str, bytes]) -> str:
    """The page; pictures are PNG files by name."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("equimut.study"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    filters: dict[str, Callable[[Any], str]] = {
        "percent": lambda value: "–" if value is None else f"{value:.2f}",
        "signed": lambda value: "–" if value is None else f"{100 * value:+.2f}",
        "share": lambda value: "–" if value is None else f"{value:.3f}",
        "small": lambda value: "–" if value is None else f"{value:.3g}",
        "p": p_text,
        "spread": _spread,
    }
    environment.filters |= filters
    template = environment.get_template("study.html")
    return template.render(
        study=study,
        pictures={name: b64encode(content).decode() for name, content in pictures.items()},
        heat={(each.data, each.loss): heat_rows(each) for each in _matrices(study)},
        languages=LANGUAGES,
        verdicts={
            verdict: sum(claim.verdict == verdict for claim in study.claims)
            for verdict in get_args(Verdict)
        },
        source=SOURCE,
        published_distances=DISTANCES,
        published_ratios=RATIOS,
        published_hours=HOURS,
    )


def heat_rows(found: Matrix) -> list[tuple[float, list[HeatCell | None]]]:
    """Rows of a matrix, each with its weight."""
    values = [cell.f1 for cell in found.cells]
    published = BEST_CELLS.get((found.data, found.loss))
    rows = []
    for weight in found.weights:
        row: list[HeatCell | None] = []
        for margin in found.margins:
            cell = found.at(margin, weight)
            if cell is None:
                row.append(None)
                continue
            background, ink = heat_colours(cell.f1, min(values), max(values))
            row.append(
                HeatCell(
                    precision=f"{cell.precision:.1f}",
                    recall=f"{cell.recall:.1f}",
                    f1=f"{cell.f1:.2f}",
                    background=background,
                    ink=ink,
                    best=cell == found.best,
                    published_best=published is not None
                    and (published.margin, published.weight) == (margin, weight),
                )
            )
        rows.append((weight, row))
    return rows


def _matrices(study: Study) -> list[Matrix]:
    return [found for language in study.languages for found in language.matrices]


def _spread(spread: Spread | None) -> str:
    return "–" if spread is None else f"{spread.mean:.3g} ± {spread.deviation:.3g}"
