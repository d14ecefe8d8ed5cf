"""Calls in which all JAX processes participate."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.jax.global_arrays import has_several_processes, launches_on_global_array
from jaxmpi_lint.analysis.lattice.lattice import Compiled, FunctionReference
from jaxmpi_lint.analysis.lattice.limits import JOINT_STEP_CALLS
from jaxmpi_lint.library.jax.mapping_transforms import PMAPS
from jaxmpi_lint.library.model import COLLECTIVE_KINDS, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program

    Wanted = Callable[[BoundCall], bool]

_CHOOSES_DEVICES = re.compile(r"\bdevices\s*=")


@dataclass(frozen=True, slots=True)
class JointStep:
    """A call that waits for all processes; ``what`` names it, ``inner`` is the line in a callee that waits."""

    module: ir.Module
    span: ir.Span
    what: str
    inner: JointStep | None = None


class _Known:
    """Cached results for calls of functions, by the function and the depth of the call chain."""

    def __init__(self, project: Program) -> None:
        self.steps: dict[tuple[str, str, int], JointStep | None] = {}


def joint_step(function: Function, bound: BoundCall, depth: int = 0) -> JointStep | None:
    """The joint operation of a call on all processes; messages and collectives of mpi4py are excluded."""
    here = (function.module, bound.call.span)
    if bound.operations:
        operation = bound.operations[-1]
        joint = operation.kind in COLLECTIVE_KINDS and operation.library != "mpi4py"
        return JointStep(*here, f"`{operation.method}`") if joint and not _is_alone(bound) else None
    entity = bound.callee.entity
    if not isinstance(entity, (Compiled, FunctionReference)):
        return None
    source = f"`{' '.join(function.module.source(bound.call.func.span).split())}`"
    if isinstance(entity, Compiled):
        if launches_on_global_array(function, bound):
            return JointStep(*here, f"the computation {source} on a global array")
        if _is_joint_map(function, entity) or _calls(function, entity.function, _exchanges_by_mpi4jax):
            return JointStep(*here, f"the computation {source}")
        return None
    inner = _step_of(function, entity, depth + 1) if depth < JOINT_STEP_CALLS else None
    return JointStep(*here, source, inner) if inner is not None else None


def _step_of(function: Function, callee: FunctionReference, depth: int) -> JointStep | None:
    known = function.project.get(_Known).steps
    key = callee.path, callee.qualname, depth
    if key not in known:
        model = function.project.function(callee.path, callee.qualname)
        calls = model.calls() if model is not None and not model.ir.is_generator else ()
        steps = (joint_step(model, bound, depth) for bound in calls if model is not None)
        known[key] = next((step for step in steps if step is not None), None)
    return known[key]


def _is_alone(bound: BoundCall) -> bool:
    return bound.communicator is not None and bound.communicator.is_self


def _is_joint_map(function: Function, entity: Compiled) -> bool:
    """Whether a function is mapped over the devices of all processes and exchanges data among them."""
    if entity.transform not in PMAPS or not has_several_processes(function.project):
        return False
    model = function.project.function(entity.function.path, entity.function.qualname)
    trace = function.project.traced.trace_of(model) if model is not None else None
    if trace is None or _CHOOSES_DEVICES.search(trace.module.source(trace.span)):
        return False
    return _calls(function, entity.function, _exchanges_over_axis)


def _exchanges_over_axis(bound: BoundCall) -> bool:
    return any(operation.kind is Kind.AXIS_COLLECTIVE for operation in bound.operations)


def _exchanges_by_mpi4jax(bound: BoundCall) -> bool:
    return not _is_alone(bound) and any(
        operation.library == "mpi4jax" and operation.kind in COLLECTIVE_KINDS for operation in bound.operations
    )


def _calls(function: Function, callee: FunctionReference, wanted: Wanted, depth: int = 0) -> bool:
    """Whether a function or one that it calls makes a call of a kind."""
    model = function.project.function(callee.path, callee.qualname)
    if model is None or depth > JOINT_STEP_CALLS:
        return False
    for bound in model.calls():
        if wanted(bound):
            return True
        entity = bound.callee.entity
        target = entity.function if isinstance(entity, Compiled) else entity
        if isinstance(target, FunctionReference) and _calls(model, target, wanted, depth + 1):
            return True
    return False
