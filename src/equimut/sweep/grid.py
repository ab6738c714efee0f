"""A grid file: what is fixed, what varies, and the trials that follow from it.

name = "cpl-java"
preset = "default"

[fixed]
"loss.name" = "cpl"

[grid]                       # every combination
"loss.margin" = [-0.05, 0.0]
"loss.weight" = [1.0, 1.15]

[[variant]]                  # changes with a name, combined with the rest
name = "without a margin"
"loss.margin" = 0.0

[[variant]]                  # the options of that grid's best trial on validation rows
name = "as chosen"
chosen_from = "full-length-margins"
"loss.name" = "cpl"          # among its trials with these options

[[together]]                 # these vary hand in hand, combined with the rest
seed = 1
"data.fold" = 1

Some grids ship with the package and are found by name: `shipped_grids`.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from itertools import product
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from equimut.config import RunConfig, changed, current_names, flattened, preset
from equimut.errors import EquimutError
from equimut.records import NonEmpty, Record
from equimut.storage.files import read_toml
from equimut.storage.jsonl import validated

MOST_TRIALS = 100_000
VARIANT = "variant"
"""The name under which a trial's `varied` tells its variant: a label, not an option."""


CHOSEN_FROM = "chosen_from"
"""In a variant: the grid whose best trial it takes its other options from."""

Choose = Callable[[str, Mapping[str, Any]], Mapping[str, Any] | None]
"""The options that a grid's trials with the same options decide for; None while that is open."""

Varied = Annotated[Mapping[str, Any], AfterValidator(current_names)]


class Grid(Record):
    """A grid file, checked."""

    name: NonEmpty
    preset: str = "default"
    fixed: Mapping[str, Any] = Field(default_factory=dict)
    grid: Mapping[str, Sequence[Any]] = Field(default_factory=dict)
    variant: tuple[Mapping[str, Any], ...] = ()
    together: tuple[Mapping[str, Any], ...] = ()


class Trial(Record):
    """One training of a grid."""

    id: NonEmpty
    """Made from the configuration alone: the same trial has the same id in every grid."""
    varied: Varied
    """What sets it apart from the other trials."""
    config: RunConfig
    grid: str = ""
    """The grid it was made from, for its result."""


def shipped_grids() -> dict[str, Path]:
    """The grids that ship with the package, by name."""
    return {path.stem: path for path in sorted((Path(__file__).parent / "grids").glob("*.toml"))}


def read_grid(name_or_path: str | Path) -> Grid:
    """Read a grid file, or a shipped grid by its name; an error names the file and the key."""
    path = Path(name_or_path)
    if not path.exists():
        known = shipped_grids()
        if str(name_or_path) not in known:
            raise EquimutError(
                f"no grid {name_or_path}: it is no file, and the shipped grids are "
                f"{', '.join(known)}"
            )
        path = known[str(name_or_path)]
    return validated(Grid, {"name": path.stem, **read_toml(path)}, str(path))


def trials(
    grid: Grid,
    pairs: str,
    options: Mapping[str, Any] | None = None,
    preset_name: str | None = None,
    choose: Choose | None = None,
) -> list[Trial]:
    """The trials of a grid on these pairs, in the order of the file.

    `options` change every trial, for example the encoder; what varies in the grid wins. Another
    preset lies below everything in the grid. A variant that takes options from another grid is
    left out as long as these are not chosen.
    """
    names = list(grid.grid)
    for name, values in grid.grid.items():
        if not values:
            raise EquimutError(f"grid {grid.name}: `{name}` has no values to try")
    number = planned(grid)
    if number > MOST_TRIALS:
        raise EquimutError(f"grid {grid.name}: {number:,} trials are too many")
    below = preset(preset_name or grid.preset)
    base = changed(below, {**grid.fixed, **(options or {}), "data.pairs": pairs})
    found: dict[str, Trial] = {}
    combined = product(grid.together or ({},), grid.variant or ({},), product(*grid.grid.values()))
    for hand, variant, values in combined:
        # TOML reads `data.fold = 1` without quotes as a table: both spellings mean the same.
        named = flattened(variant)
        label = {VARIANT: named.pop("name")} if "name" in named else {}
        source = named.pop(CHOSEN_FROM, None)
        changes = {**dict(zip(names, values, strict=True)), **named, **flattened(hand)}
        if source is not None:
            taken = None if choose is None else choose(source, {**grid.fixed, **changes})
            if taken is None:
                continue
            changes |= taken
        config = changed(base, changes)
        name, varied = trial_id(config), {**label, **changes}
        found.setdefault(name, Trial(id=name, varied=varied, config=config, grid=grid.name))
    return list(found.values())


def planned(grid: Grid) -> int:
    """How many trials a grid has, those that wait for a choice included."""
    number = len(grid.together or (1,)) * len(grid.variant or (1,))
    for values in grid.grid.values():
        number *= len(values)
    return number


def matches(options: Mapping[str, Any], same: Mapping[str, Any]) -> bool:
    """Whether options have the same values wherever both name them."""
    return all(same[name] == value for name, value in options.items() if name in same)


ADDED_LATER = {
    "model": ("distance",),
    "loss": ("margin_unit", "shared", "on"),
    "optim": ("clip_terms",),
}
"""Options that came after the first results: at their defaults they are no part of an id."""


def trial_id(config: RunConfig) -> str:
    """Names a configuration; where the pairs lie does not matter, what they are called does."""
    content = config.model_dump(mode="json")
    name = Path(config.data.pairs).name
    content["data"]["pairs"] = name.removesuffix(".gz").removesuffix(".jsonl")  # packed or not
    content["model"]["encoder"] = Path(config.model.encoder).name
    # Under the name it had when the first results were stored: their ids stay what they are.
    content["model"]["places"] = content["model"].pop("max_length")
    for section, options in ADDED_LATER.items():
        for option in options:
            if (
                content[section][option]
                == type(getattr(config, section)).model_fields[option].default
            ):
                del content[section][option]
    for name in ("threads", "checkpoint_minutes", "curve"):  # how it is run, not what
        content.pop(name)
    text = json.dumps(content, sort_keys=True)
    return blake2b(text.encode(), digest_size=8).hexdigest()
