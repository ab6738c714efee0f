"""Ray, started or joined, for work that is shared between processes or machines."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from equimut.errors import EquimutError

LIVES = 3
"""How often a piece of work may lose its worker before it is given up."""


@contextmanager
def ray_session(workers: int, threads: int, address: str | None = None) -> Iterator[Any]:
    """The `ray` module, connected: to the cluster at `address`, or to one of this machine's own.

    A session that is there already is used and left running; one that is started here ends here.
    """
    ray = _imported()
    if ray.is_initialized():
        yield ray
        return
    variables = {"OMP_NUM_THREADS": str(threads), "TOKENIZERS_PARALLELISM": "false"}
    options: dict[str, Any] = {
        "logging_level": logging.ERROR,
        "log_to_driver": False,
        "runtime_env": {"env_vars": variables},
    }
    if address is None:
        options |= {"num_cpus": workers * threads, "include_dashboard": False, "address": "local"}
    else:
        options["address"] = address
    # Its own warning about a default that will change says nothing to a user of ours.
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    # Ray's workers step back behind every other process by default (niceness 15): on a machine
    # that has other work they would hardly run at all.
    os.environ.setdefault("RAY_worker_niceness", "0")
    try:
        ray.init(**options)
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        where = f"the cluster at {address}" if address else "this machine"
        first = str(error).strip().split("\n")[0]
        raise EquimutError(f"Ray cannot be started on {where}: {first}") from error
    try:
        yield ray
    finally:
        ray.shutdown()


def _imported() -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is reported to anybody
    try:
        import ray
    except ImportError as error:
        raise EquimutError(
            "Ray is not installed; install it with `pip install 'equimut[ray]'`, "
            "or use --engine local"
        ) from error
    return ray
