"""Which mutants of a report are judged, and which serve as a check."""

from equimut.reports.reported import Report, Status
from equimut.scanning.verdicts import OPEN


class Selection:
    """Asked about each mutant in the order of the report.

    Of the killed mutants a few are taken as a check, evenly over the report and the same ones
    every time, whatever the tool's order.
    """

    def __init__(self, report: Report, *, everything: bool, check_killed: int) -> None:
        self._everything = everything
        self._killed = report.counts.get("killed", 0)
        self._wanted = min(check_killed, self._killed)
        self._met = 0

    def judged(self, status: Status) -> bool:
        """Whether mutants with this status get a verdict."""
        return self._everything or status in OPEN

    def check(self, status: Status) -> bool:
        """Whether this mutant serves as a check; to be asked once for each mutant, in order."""
        if status != "killed" or not self._wanted:
            return False
        before = self._met * self._wanted // self._killed
        self._met += 1
        return self._met * self._wanted // self._killed > before
