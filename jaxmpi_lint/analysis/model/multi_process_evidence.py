"""Signs that a project runs as several processes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Program

_IMPORTS = ("mpi4py", "mpi4jax", "jax.distributed", "jax.experimental.multihost_utils", "orbax.checkpoint.multihost")
_CALLS = frozenset(
    {
        "make_array_from_process_local_data",
        "make_array_from_single_device_arrays",
        "process_allgather",
        "process_count",
        "process_index",
        "sync_global_devices",
    }
)


def runs_as_several_processes(project: Program) -> bool:
    """Whether some module of the project brings up processes, asks for their number, or exchanges data with others."""
    return any(
        _is_sign(step)
        for model in project.modules()
        for function in model.ir.functions.values()
        for step in function.steps()
    )


def _is_sign(step: ir.Step) -> bool:
    if isinstance(step, ir.Import):
        return any(
            name.target == entry or name.target.startswith(entry + ".") for name in step.names for entry in _IMPORTS
        )
    if not isinstance(step, ir.Evaluate) or not isinstance(step.expression, ir.Call):
        return False
    name = ir.dotted(step.expression.func) or ""
    return name.rpartition(".")[2] in _CALLS or name.endswith("distributed.initialize")
