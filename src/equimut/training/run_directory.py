"""The directory of a run before it is trained: new, the same run, or something else."""

import shutil
from collections.abc import Callable
from fnmatch import fnmatch
from pathlib import Path

import equimut
from equimut.config import RunConfig, flattened, to_toml
from equimut.errors import EquimutError
from equimut.storage.files import HALF_WRITTEN, code_version, write_bytes
from equimut.training.rows import Rows
from equimut.training.run_files import (
    CONFIG,
    RECORD,
    ROWS,
    RunRecord,
    environment,
    read_record,
    write_record,
    write_rows,
)

_TRAINING = ("losses", "inputs", "models", "training", "parsing", "languages", "data/splitting")


def record_there(config: RunConfig, directory: Path, rows: Rows, restart: bool) -> RunRecord | None:
    """The record of the same run, if it is there; anything else that is there is an error."""
    if not (directory / RECORD).is_file():
        if directory.exists() and not _may_begin(directory):
            raise EquimutError(f"{directory} is there and is not a run; name another --out")
        return None
    if restart:
        return None
    before = read_record(directory)
    if before.config != config:
        raise EquimutError(
            f"{directory} holds a run with other options ({_differences(before, config)}); "
            "use another --out, or --restart to throw it away"
        )
    if before.data.fingerprint != rows.facts.fingerprint:
        raise EquimutError(
            f"{directory}: {rows.facts.name} has changed since the run was started; "
            "use another --out, or --restart to throw it away"
        )
    return before


def _may_begin(directory: Path) -> bool:
    """Whether nothing is lost: it is empty, or holds a run that was killed before its record."""
    return directory.is_dir() and all(
        each.name in (ROWS, CONFIG) or fnmatch(each.name, HALF_WRITTEN)
        for each in directory.iterdir()
    )


def begin_run(config: RunConfig, directory: Path, rows: Rows) -> None:
    """A new run, in an empty directory; the directory itself stays, since it is locked."""
    for each in directory.iterdir() if directory.is_dir() else ():
        if each.is_dir() and not each.is_symlink():
            shutil.rmtree(each)
        else:
            each.unlink()
    write_rows(directory, rows.train, rows.dev)
    write_bytes(directory / CONFIG, to_toml(config).encode())
    write_record(
        directory,
        RunRecord(
            equimut=equimut.__version__,
            code=training_version(),
            status="running",
            config=config,
            data=rows.facts,
            environment=environment(),
        ),
    )


def training_version() -> str:
    """Changes with the code that determines what a training ends with."""
    return code_version(_TRAINING, ("torch", "transformers", "accelerate"))[:16]


def go_on(directory: Path, record: RunRecord, message: Callable[[str], None] | None) -> None:
    """Note, and say, where another version of the code goes on with a run."""
    now = f"{equimut.__version__} {training_version()}"
    before = record.continued[-1] if record.continued else f"{record.equimut} {record.code}"
    if before in (now, f"{equimut.__version__} "):  # older records name no code
        return
    if message is not None:
        message(
            f"this run was begun by other code (equimut {before}; now {now}): its weights are "
            "those of neither; --restart begins anew"
        )
    versions = (*record.continued, now)
    write_record(directory, record.model_copy(update={"continued": versions}))


def _differences(before: RunRecord, config: RunConfig) -> str:
    old, new = flattened(before.config.model_dump()), flattened(config.model_dump())
    changed = [
        f"{name}: {old[name]} there, {new[name]} now" for name in old if old[name] != new[name]
    ]
    return "; ".join(changed[:3]) + (" ..." if len(changed) > 3 else "")
