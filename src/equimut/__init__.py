"""equimut finds equivalent mutants: mutants that no test can kill.

Public names are loaded on first use, so ``import equimut`` stays fast and does not import torch.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from equimut.errors import EquimutError as EquimutError
    from equimut.losses import ClusterPurgeLoss as ClusterPurgeLoss
    from equimut.losses import ContrastiveLoss as ContrastiveLoss
    from equimut.losses import JointLoss as JointLoss
    from equimut.losses import TripletLoss as TripletLoss
    from equimut.records import Pair as Pair
    from equimut.records import Snippet as Snippet

_HOME = {
    "EquimutError": "equimut.errors",
    "ClusterPurgeLoss": "equimut.losses",
    "ContrastiveLoss": "equimut.losses",
    "JointLoss": "equimut.losses",
    "TripletLoss": "equimut.losses",
    "Pair": "equimut.records",
    "Snippet": "equimut.records",
}

__all__ = [*_HOME, "__version__"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'equimut' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
