"""Files of evaluations read back."""

import json
from pathlib import Path

from equimut.evaluation.evaluation import Evaluation


def read_evaluations(path: Path) -> tuple[Evaluation, ...]:
    """The evaluations that `write_evaluations` wrote."""
    content = json.loads(path.read_text())
    return tuple(Evaluation.model_validate(one) for one in content["evaluations"])
