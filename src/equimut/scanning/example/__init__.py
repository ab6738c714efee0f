"""A small project with a report, to see what a scan looks like: `equimut scan --example`."""

from pathlib import Path


def example_report() -> Path:
    """The report: Elements JSON with the sources of a Java class and a Python module in it."""
    return Path(__file__).parent / "mutation.json"
