"""Versions of one C file as programs, run on rows of arguments."""

from collections.abc import Sequence
from pathlib import Path

from equimut.errors import OracleError
from equimut.oracle.c.building import COMPARING, ZEROED, Workshop
from equimut.oracle.c.glue import Glue, Recipe
from equimut.oracle.c.runs import ASAN
from equimut.oracle.c.seeing import Sight, read_sights
from equimut.oracle.sandbox.process import Limits, run_in_sandbox
from equimut.oracle.sandbox.ticking import C_PLACES, Probed, add_missing_returns, add_probes
from equimut.oracle.verdicts import OracleSettings

ORIGIN, AGAIN = "origin", "again"
"""The origin, and the origin with other values in fresh memory and variables."""
FILLS = ("190", "90")
"""What fresh memory holds in the two: what depends on it is not looked at."""
MOST_CRASHES, MOST_ORIGIN_CRASHES = 25, 400
WALL_FACTOR = 10
"""Seconds of the clock for all calls of a version; one call has its own limit, of the processor."""
BLOCKS = 10
"""Blocks that the compiler counts, for one step of a loop or function."""
Row = tuple[int, Sequence[Recipe]]
"""The number of a function, and its arguments."""


class Versions:
    """The origin of one file and its mutants."""

    def __init__(self, shop: Workshop, source: str, settings: OracleSettings) -> None:
        self.shop = shop
        self._settings = settings
        self.file = shop.debug_info(source)
        self.glue = Glue(self.file)
        (shop.directory / "tables.txt").write_text(self.glue.tables)
        self._driver = self.glue.driver(shop.title)
        self._programs: dict[str, Path] = {}
        self._runs = 0
        self.probed = add_probes(source, "c", C_PLACES)
        self._build_origin(source)
        self.build_changed(source, AGAIN, ZEROED)

    def build(self, text: str, version: str, *options: str) -> None:
        """Compile a version of the file; OracleError if it does not compile."""
        folder = self.shop.write(text, version)
        self._programs[version] = self.shop.build(self._driver, version, folder, options)

    def build_changed(self, source: str, version: str, *options: str) -> None:
        """The same, with the end of functions watched that have to return something."""
        try:
            self.build(add_missing_returns(source, "c", C_PLACES), version, *options)
        except OracleError:
            self.build(source, version, *options)

    def _build_origin(self, source: str) -> None:
        """The origin with a probe at every place, or without them where that does not compile."""
        try:
            self.build(self.probed.text, ORIGIN, COMPARING)
        except OracleError:
            self.probed = Probed(source, ())
            self.build(source, ORIGIN, COMPARING)

    def run(
        self,
        version: str,
        rows: Sequence[Row],
        expected: Sequence[Sight | None] | None,
        backwards: bool = False,
    ) -> tuple[dict[int, Sight], dict[int, str], int]:
        """Input -> what was seen; those that the sandbox stopped; how many were as expected."""
        directory, settings = self.shop.directory, self._settings
        self._runs += 1
        folder = directory / f"run{self._runs}"
        folder.mkdir()
        inputs, results, wanted = folder / "inputs", folder / "results", folder / "expected"
        inputs.write_text("".join(f"{self.glue.tokens(*row)}\n" for row in rows))
        if expected is not None:
            lines = (f"{each.digest} {each.steps}" if each else "0 -1" for each in expected)
            wanted.write_text("".join(f"{line}\n" for line in lines))
        crashes = MOST_ORIGIN_CRASHES if expected is None else MOST_CRASHES
        limits_ = (BLOCKS * settings.origin_steps, BLOCKS * settings.least_steps,
                   settings.step_factor, WALL_FACTOR * max(1, round(settings.wall_seconds)),
                   settings.memory_mb // 2)  # fmt: skip
        told = "-" if expected is None else wanted
        tables = directory / "tables.txt"
        words = (tables, inputs, results, told, *limits_, int(backwards), crashes)
        options = {
            **ASAN,
            "malloc_fill_byte": FILLS[version == AGAIN],
            "max_malloc_fill_size": "1048576",
        }
        environment = {"ASAN_OPTIONS": ":".join(f"{key}={value}" for key, value in options.items())}
        limits = Limits(2 * WALL_FACTOR * settings.wall_seconds + 60)
        run_in_sandbox([self._programs[version], *words], folder, limits, environment)
        return read_sights(results)
