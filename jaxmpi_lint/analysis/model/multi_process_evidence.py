"""Evidence that a project runs as several processes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.library.jax.processes import MULTI_PROCESS_CALLS, MULTI_PROCESS_MODULES

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Program


def runs_as_several_processes(project: Program) -> bool:
    """Whether some module of the project starts processes, reads their number, or exchanges data with others."""
    return any(
        _is_sign(step)
        for model in project.modules()
        for function in model.ir.functions.values()
        for step in function.steps()
    )


def _is_sign(step: ir.Step) -> bool:
    if isinstance(step, ir.Import):
        return any(
            name.target == entry or name.target.startswith(entry + ".")
            for name in step.names
            for entry in MULTI_PROCESS_MODULES
        )
    if not isinstance(step, ir.Evaluate) or not isinstance(step.expression, ir.Call):
        return False
    name = ir.dotted(step.expression.func) or ""
    return name.rpartition(".")[2] in MULTI_PROCESS_CALLS or name.endswith("distributed.initialize")
