"""The launcher of a JAX job, and two errors at the start of a job that JAX does not explain."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from jaxmpi_lint.runtime.findings.finding import Finding
from jaxmpi_lint.runtime.settings.environment import launched_rank
from jaxmpi_lint.runtime.settings.ownership import is_library

SIZE_VARIABLES = (
    "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS", "MV2_COMM_WORLD_SIZE", "JSM_NAMESPACE_SIZE",
)  # fmt: skip
"""Variables with the number of started processes. Not SLURM_NTASKS: batch scripts have it without `srun`."""

OTHER_WAYS = ("mpi4py", "mpi4jax", "horovod", "torch.distributed", "ray", "dask.distributed")
"""Programs that import one of these connect their processes, or separate them, without JAX."""

ASKED = ("process_index", "process_count", "process_allgather", "broadcast_one_to_all", "sync_global_devices")
"""Functions whose result in a job of one process is not what a program of many processes expects."""

_NO_ADDRESS = "coordinator_address should be defined"
_OPEN_MPI, _BEFORE_5 = "OMPI_COMM_WORLD_SIZE", "OMPI_MCA_orte_hnp_uri"


def launched(environment: Mapping[str, str] = os.environ) -> int | None:
    """The number of processes that the launcher started, None without a launcher."""
    text = next((environment[name] for name in SIZE_VARIABLES if name in environment), "")
    return int(text) if text.isdigit() else None


def repair(error: BaseException, environment: Mapping[str, str] = os.environ) -> str | None:
    """A remedy for the error of a `jax.distributed.initialize()` that does not detect Open MPI 5.

    JAX up to 0.10 needs a variable that only Open MPI before 5 sets (jax issue 14576). None for any other error.
    """
    if not isinstance(error, ValueError) or _NO_ADDRESS not in str(error):
        return None
    if _OPEN_MPI not in environment or _BEFORE_5 in environment:
        return None
    return (
        "jaxmpi-sanitize: this JAX version does not detect Open MPI 5; call jax.distributed.initialize("
        'cluster_detection_method="mpi4py") with mpi4py installed, or pass coordinator_address="HOST:PORT", '
        'num_processes=int(os.environ["OMPI_COMM_WORLD_SIZE"]) and process_id=int(os.environ["OMPI_COMM_WORLD_RANK"])'
    )


def independent(asked: str, environment: Mapping[str, str] = os.environ) -> Finding | None:
    """A note if a program queries its process index or count where JAX runs with one process.

    ``asked`` is the function of JAX that the program's code called, ``jax.process_index``. Every process then gets the
    result of a job of one process. This is not a warning: many separate runs of one program under one launcher (one for
    each seed) look the same, and are correct. None if the processes communicate through a different library, if
    JAX was initialised, or without a launcher.
    """
    count = launched(environment)
    if count is None or count < 2 or any(name in sys.modules for name in OTHER_WAYS):
        return None
    distributed = sys.modules.get("jax._src.distributed")
    if distributed is None or distributed.global_state.client is not None:
        return None
    return Finding(
        "JS000",
        f"the launcher started {count} processes, but JAX runs as {count} separate jobs of one process each: "
        f"`{asked}` returns the result of a one-process job in each of them",
        tuple(range(count)),
        notes=("correct if these are separate runs of one program",),
        remedy="call `jax.distributed.initialize()` before any other function of JAX if they are one job.",
    )


def explain(distributed: ModuleType) -> None:
    """Add the remedy to the errors of `initialize`; ``distributed`` is `jax._src.distributed`."""
    state: Any = distributed.State
    initialize = state.initialize

    @functools.wraps(initialize)
    def explained(self: Any, *arguments: Any, **named: Any) -> Any:
        try:
            return initialize(self, *arguments, **named)
        except ValueError as error:
            line = repair(error)
            if line is not None:
                error.add_note(line)
            raise

    state.initialize = explained


class Asking:
    """Reports once if the program queries its place in a job for which JAX was not initialised."""

    def __init__(self, tell: Callable[[Finding], None]) -> None:
        self._tell = tell
        self._told = False

    def watch(self, module: ModuleType) -> None:
        """Observe calls of a module, `jax` or `jax.experimental.multihost_utils`."""
        for name in ASKED:
            original = getattr(module, name, None)
            if original is not None:
                setattr(module, name, self._watched(original, f"{module.__name__}.{name}"))

    def _watched(self, original: Callable[..., Any], name: str) -> Callable[..., Any]:
        @functools.wraps(original)
        def asked(*arguments: Any, **named: Any) -> Any:
            if not self._told and not is_library(sys._getframe(1).f_code.co_filename):
                self._told = True
                finding = independent(name) if launched_rank() == 0 else None
                if finding is not None:
                    self._tell(finding)
            return original(*arguments, **named)

        return asked
