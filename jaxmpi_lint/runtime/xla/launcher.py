"""What the launcher says of a JAX job, and the two mistakes at its start that JAX itself does not explain."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from jaxmpi_lint.runtime.environment import launched_rank
from jaxmpi_lint.runtime.finding import Finding
from jaxmpi_lint.runtime.xla.places import is_library

SIZE_VARIABLES = (
    "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS", "MV2_COMM_WORLD_SIZE", "JSM_NAMESPACE_SIZE",
)  # fmt: skip
"""How many processes were started with this one. Not SLURM_NTASKS: a batch script has it that no `srun` started."""

OTHER_WAYS = ("mpi4py", "mpi4jax", "horovod", "torch.distributed", "ray", "dask.distributed")
"""Who imports one of these lets the processes communicate, or keeps them apart, in another way than JAX's own."""

ASKED = ("process_index", "process_count", "process_allgather", "broadcast_one_to_all", "sync_global_devices")
"""Functions whose answer in a job of one process is not what a program of many expects."""

_NO_ADDRESS = "coordinator_address should be defined"
_OPEN_MPI, _BEFORE_5 = "OMPI_COMM_WORLD_SIZE", "OMPI_MCA_orte_hnp_uri"


def launched(environment: Mapping[str, str] = os.environ) -> int | None:
    """The number of processes that the launcher started, None without a launcher."""
    text = next((environment[name] for name in SIZE_VARIABLES if name in environment), "")
    return int(text) if text.isdigit() else None


def repair(error: BaseException, environment: Mapping[str, str] = os.environ) -> str | None:
    """One line to add to the error of a `jax.distributed.initialize()` that does not recognise Open MPI 5.

    JAX up to 0.10 looks for a variable that only Open MPI before 5 sets (jax issue 14576). None for any other error.
    """
    if not isinstance(error, ValueError) or _NO_ADDRESS not in str(error):
        return None
    if _OPEN_MPI not in environment or _BEFORE_5 in environment:
        return None
    return (
        "jaxmpi-sanitize: this JAX does not recognise Open MPI 5; call jax.distributed.initialize("
        'cluster_detection_method="mpi4py") with mpi4py installed, or pass coordinator_address="HOST:PORT", '
        'num_processes=int(os.environ["OMPI_COMM_WORLD_SIZE"]) and process_id=int(os.environ["OMPI_COMM_WORLD_RANK"])'
    )


def independent(asked: str, environment: Mapping[str, str] = os.environ) -> Finding | None:
    """A note if a program asks for its place among JAX's processes where JAX knows of no others.

    ``asked`` is the function of JAX that the program's own code called, ``jax.process_index``. Every process then gets
    the answer of a job of one. It is no warning: many runs of one program under one launcher (one for each seed) look
    the same, and are right. None where the processes have another way to communicate, where JAX was initialised, and
    without a launcher.
    """
    count = launched(environment)
    if count is None or count < 2 or any(name in sys.modules for name in OTHER_WAYS):
        return None
    distributed = sys.modules.get("jax._src.distributed")
    if distributed is None or distributed.global_state.client is not None:
        return None
    return Finding(
        "JS000",
        f"the launcher started {count} processes, and JAX runs as {count} programs of one process each: "
        f"`{asked}` gives every one of them the answer of a job of its own",
        tuple(range(count)),
        notes=("fine if these are separate runs of one program",),
        remedy="call `jax.distributed.initialize()` before anything else of JAX if they are to be one job.",
    )


def explain(distributed: ModuleType) -> None:
    """Let the errors of `initialize` say how to repair the job; ``distributed`` is `jax._src.distributed`."""
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
    """Tells once if the program asks for its place in a job that JAX does not know of."""

    def __init__(self, tell: Callable[[Finding], None]) -> None:
        self._tell = tell
        self._told = False

    def watch(self, module: ModuleType) -> None:
        """See calls of a module, `jax` or `jax.experimental.multihost_utils`."""
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
