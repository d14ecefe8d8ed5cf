"""Whether a world communicates: a program of one process has no order of ranks to keep."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter.events import Collective, Receive, Send

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import WorldView as World


_STARTS_JOBS = re.compile(
    r"[\"'](?:mpiexec|mpirun|srun|sbatch|qsub|bsub|jsrun|aprun)\b|#(?:SBATCH|PBS|BSUB)\b"  # as texts of Python
)
_OF_SEVERAL = re.compile(r"^[^#\n]*\b(?:MPI\b|mpi4|comm\b|jax\b)", re.MULTILINE)


def starts_jobs(module: ir.Module) -> bool:
    """Whether a program starts other ones by a launcher or in a batch system, and does not communicate by itself."""
    return bool(_STARTS_JOBS.search(module.text)) and not _OF_SEVERAL.search(module.text)


def is_of_several(world: World) -> bool:
    """Whether the program is meant for several processes: it communicates, or asks how many there are."""
    return not world.is_of_one and (bool(world.reads_size) or communicates(world))


def communicates(world: World) -> bool:
    """Whether a rank has communicated."""
    logs = (event for process in world.processes for event in process.log)
    return any(isinstance(event, (Collective, Send, Receive)) for event in logs)
