"""Java to the oracle."""

import re

from equimut.oracle.backend import Backend, WholePrograms
from equimut.oracle.java.project import judge_file
from equimut.oracle.java.runs import run_java
from equimut.oracle.java.signature import read_signature
from equimut.oracle.java.suggesting import suggested_file

BACKEND = Backend(
    read_signature,
    run_java,
    programs=WholePrograms(
        # The origin's stack overflow puts an input outside the domain.
        refuse="throw new StackOverflowError();",
        members=True,
        unpublished=re.compile(r"^\s*import\s+(?!java\.|javax\.)[\w.*]+\s*;", re.M),
    ),
    compiler="javac",
    judge_file=judge_file,
    suggested_file=suggested_file,
)
