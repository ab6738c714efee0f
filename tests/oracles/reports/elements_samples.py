"""Elements reports of real tools, and the official schema that judges them."""

import json
from typing import Any

import jsonschema

from conftest import shared_file

SAMPLES = (
    "csharp-example_mutation-report.json",
    "infection-php-example_report.json",
    "pitest-example_report.js",
    "python-example_report.js",
    "rust-example_report.json",
    "scala-example_mutation-report.json",
    "simple-example_mutation-report.json",
    "strict-report-v2.json",
    "strykerjs_toy_mutation.json",
)


def schema_faults(report: Any) -> list[str]:
    """Where a report breaks the official schema."""
    path = shared_file("samples", "elements", "mutation-testing-report-schema.json")
    validator = jsonschema.Draft7Validator(json.loads(path.read_text()))
    return [error.message for error in validator.iter_errors(report)]
