"""How many modules one has to read to follow a mutant from its report to its verdict."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

from conftest import ROOT

SAMPLES = ROOT / "tests" / "reports" / "samples"
MOST_MODULES = 60
TRACE = """
import json, sys, threading
seen = set()

def while_importing(frame):
    while frame := frame.f_back:
        if frame.f_code.co_name == "<module>" and "/equimut/" in frame.f_code.co_filename:
            return True
    return False

def note(frame, event, argument):  # a tracer that returns None hears of calls only
    code = frame.f_code
    if "/equimut/" in code.co_filename and code.co_flags & 1:
        name = code.co_filename.rsplit("/equimut/", 1)[1]
        if name not in seen and code.co_name != "<module>" and not while_importing(frame):
            seen.add(name)

from equimut.cli.main import main
sys.settrace(note)
threading.settrace(note)
try:
    main()
finally:
    sys.settrace(None)
    sys.stderr.write("\\n" + json.dumps(sorted(seen)))
"""


def test_a_walk_from_a_mutmut_directory_to_the_verdicts_names_few_modules(tmp_path: Path) -> None:
    """Every module of the package in which a function is called, model and output included.

    What the solver's workers do in processes of their own is another walk, and not counted.
    """
    for folder in ("mutants/shop", "shop"):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copy(SAMPLES / "mutmut_till.txt", tmp_path / "mutants/shop/till.py")
    shutil.copy(SAMPLES / "mutmut_till.meta.json", tmp_path / "mutants/shop/till.py.meta")
    shutil.copy(SAMPLES / "shop_till.txt", tmp_path / "shop/till.py")
    done = subprocess.run(
        [sys.executable, "-c", TRACE, "scan", str(tmp_path), "--no-cache"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert "equivalent" in done.stdout, done.stderr
    seen = json.loads(done.stderr.splitlines()[-1])
    assert {"reports/mutmut.py", "models/runtime.py", "proofs/proving.py"} <= set(seen)
    assert len(seen) <= MOST_MODULES, seen
