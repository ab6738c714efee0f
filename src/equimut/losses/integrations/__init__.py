"""Cluster Purge Loss in other people's training loops.

Each name imports its library on first use; neither is needed for the rest of equimut.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from equimut.losses.integrations.metric_learning import HalfCosineDistance as HalfCosineDistance
    from equimut.losses.integrations.metric_learning import (
        MetricLearningClusterPurgeLoss as MetricLearningClusterPurgeLoss,
    )
    from equimut.losses.integrations.sentence_transformer import (
        SentenceTransformerClusterPurgeLoss as SentenceTransformerClusterPurgeLoss,
    )

_HOME = {
    "HalfCosineDistance": "metric_learning",
    "MetricLearningClusterPurgeLoss": "metric_learning",
    "SentenceTransformerClusterPurgeLoss": "sentence_transformer",
}
_EXTRA = {"metric_learning": "metric-learning", "sentence_transformer": "sentence-transformers"}

__all__ = ["HalfCosineDistance", "MetricLearningClusterPurgeLoss"]
__all__ += ["SentenceTransformerClusterPurgeLoss"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        home = import_module(f"{__name__}.{_HOME[name]}")
    except ModuleNotFoundError as error:
        extra = _EXTRA[_HOME[name]]
        raise ImportError(
            f"{name} needs {error.name}: install it with pip install 'equimut[{extra}]'"
        ) from error
    return getattr(home, name)
