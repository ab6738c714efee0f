"""Python to the oracle."""

from equimut.oracle.backend import Backend
from equimut.oracle.python.foreign import foreign_names
from equimut.oracle.python.project import judge_file
from equimut.oracle.python.runs import run_python
from equimut.oracle.python.signature import read_signature
from equimut.oracle.python.suggesting import suggested_file

BACKEND = Backend(
    read_signature, run_python, foreign_names, judge_file=judge_file, suggested_file=suggested_file
)
