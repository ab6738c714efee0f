"""What every test may use: the real data when it is there, and the counts of expensive tests."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

FULL = os.environ.get("EQUIMUT_FULL") == "1"
ROOT = Path(__file__).parent.parent

settings.register_profile("reduced", deadline=None, max_examples=100)
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
        pytest.skip(f"real data not here: {'/'.join(parts)} (set EQUIMUT_SHARED to its directory)")
    return path
