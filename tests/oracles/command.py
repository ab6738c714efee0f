"""The real command in a process of its own, as a person runs it."""

import io
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from unittest import mock

Result = subprocess.CompletedProcess[str]
RULES_ONLY = ("--no-model", "--prove-budget", "none")
"""Scan without detector and without the solver, whose workers are processes to start: for tests
that are about something else."""
OWN_CACHE = ("--cache", "cache")
"""Answers are kept where the test is; the harnesses, which take seconds to compile, where those of
all tests are (not so with EQUIMUT_CACHE)."""


def run_equimut(*arguments: object, **environment: str) -> Result:
    """Run `equimut` with these arguments, in a wide terminal and without a proxy."""
    return subprocess.run(
        [sys.executable, "-m", "equimut", *map(str, arguments)],
        capture_output=True,
        text=True,
        env={**os.environ, "no_proxy": "*", "COLUMNS": "120", **environment},
        timeout=600,
        check=False,
    )


def call_equimut(*arguments: object, **environment: str) -> Result:
    """The same command inside this process: for many calls that would each import torch."""
    from equimut.cli.main import main

    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    given = ["equimut", *map(str, arguments)]
    code = 0
    with (
        mock.patch.object(sys, "argv", given),
        mock.patch.dict(os.environ, {"COLUMNS": "160", "no_proxy": "*", **environment}),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as stop:
            code = int(stop.code or 0)
    texts = []
    for stream in (out, err):
        stream.seek(0)
        texts.append(stream.read())
    return Result(given, code, *texts)


def says_one_line(result: Result, *words: str) -> bool:
    """Exit code 2, nothing on standard output, and one line with these words."""
    lines = result.stderr.strip().split("\n")
    return (
        result.returncode == 2
        and result.stdout == ""
        and len(lines) == 1
        and lines[0].startswith("error: ")
        and all(word in lines[0] for word in words)
    )
