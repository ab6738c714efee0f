"""equimut finds equivalent mutants: mutants that no test can kill.

Public names are loaded on first use, so ``import equimut`` stays fast and does not import torch.
``docs/python.md`` shows them at work.
"""

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from equimut.config import RunConfig as RunConfig
    from equimut.config import preset as preset
    from equimut.data.labelled import LabelledPair as LabelledPair
    from equimut.errors import EquimutError as EquimutError
    from equimut.evaluation.metrics import Scores as Scores
    from equimut.evaluation.metrics import score as score
    from equimut.losses import ClusterPurgeLoss as ClusterPurgeLoss
    from equimut.losses import ContrastiveLoss as ContrastiveLoss
    from equimut.losses import JointLoss as JointLoss
    from equimut.losses import TripletLoss as TripletLoss
    from equimut.models.detector import Detector as Detector
    from equimut.models.runtime import load_model as load_model
    from equimut.mutation import mutate as mutate
    from equimut.oracle.judging import judge_mutants as judge_mutants
    from equimut.oracle.verdicts import OracleSettings as OracleSettings
    from equimut.oracle.verdicts import OracleVerdict as OracleVerdict
    from equimut.proofs.proving import prove as prove
    from equimut.records import Judgement as Judgement
    from equimut.records import Mutant as Mutant
    from equimut.records import Pair as Pair
    from equimut.records import PairLike as PairLike
    from equimut.records import Query as Query
    from equimut.records import Snippet as Snippet
    from equimut.reports.reported import Report as Report
    from equimut.reports.reported import ReportedMutant as ReportedMutant
    from equimut.reports.reported import read_report as read_report
    from equimut.scanning.api import scan as scan
    from equimut.scanning.records import ScanResult as ScanResult
    from equimut.scanning.records import ScanVerdict as ScanVerdict
    from equimut.training.run import Run as Run
    from equimut.training.run import train as train

_NAMES_OF = {
    "config": "RunConfig preset",
    "data.labelled": "LabelledPair",
    "errors": "EquimutError",
    "evaluation.metrics": "Scores score",
    "losses": "ClusterPurgeLoss ContrastiveLoss JointLoss TripletLoss",
    "models.detector": "Detector",
    "models.runtime": "load_model",
    "mutation": "mutate",
    "oracle.judging": "judge_mutants",
    "oracle.verdicts": "OracleSettings OracleVerdict",
    "proofs.proving": "prove",
    "records": "Judgement Mutant Pair PairLike Query Snippet",
    "reports.reported": "Report ReportedMutant read_report",
    "scanning.api": "scan",
    "scanning.records": "ScanResult ScanVerdict",
    "training.run": "Run train",
}
_HOME = {name: f"equimut.{home}" for home, names in _NAMES_OF.items() for name in names.split()}

__all__ = [*_HOME, "__version__"]

if not TYPE_CHECKING:  # checkers and editors see the imports above, and no name beside them

    def __getattr__(name: str) -> object:
        if name not in _HOME:
            raise AttributeError(f"module 'equimut' has no attribute {name!r}")
        try:
            value: object = getattr(import_module(_HOME[name]), name)
        except ModuleNotFoundError as error:
            from equimut.errors import MissingExtra

            raise MissingExtra.of(error, f"equimut.{name}") or error from error
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
