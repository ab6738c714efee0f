"""What every test may use: the real data when it is there, and the counts of expensive tests."""

import gc
import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

NO_BROWSER = "no browser here"
NO_DATA = "real data not here"

FULL = os.environ.get("EQUIMUT_FULL") == "1"
ROOT = Path(__file__).parent.parent

for number in (signal.SIGINT, signal.SIGHUP):
    if signal.getsignal(number) is signal.SIG_IGN:  # `nohup make test &`; children would inherit it
        usual = signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
        signal.signal(number, usual)
settings.register_profile("reduced", deadline=None, max_examples=60)
settings.register_profile(
    "full", deadline=None, max_examples=1000, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("full" if FULL else "reduced")


def count(reduced: int, full: int) -> int:
    """How often an expensive test repeats: `make test` or `make test-full`."""
    return full if FULL else reduced


def shared_file(*parts: str) -> Path:
    """A file of the real data, or a plain skip where a fresh clone stands alone."""
    path = Path(os.environ.get("EQUIMUT_SHARED", ROOT.parent / "shared")).joinpath(*parts)
    if not path.exists():
        pytest.skip(f"{NO_DATA}: {'/'.join(parts)} (set EQUIMUT_SHARED to its directory)")
    return path


def pytest_collection_finish() -> None:
    """Modules of a million objects stay: the collector need not walk through them all the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tests that found no browser or no real data are few lines among many: say it once, loudly."""
    skipped = [str(report.longrepr) for report in terminalreporter.stats.get("skipped", ())]
    for reason, advice in (
        (NO_BROWSER, "install chromium, or run `playwright install chromium`"),
        (NO_DATA, "set EQUIMUT_SHARED to its directory"),
    ):
        if number := sum(reason in text for text in skipped):
            line = f"{number} TESTS SKIPPED, {reason.upper()}: {advice}"
            terminalreporter.section(line, sep="!", red=True, bold=True)
