"""Communicators that a call uses, itself and in the functions of the project that it runs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.configuration_choices import Outcome, choices
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.lattice.communicator_substitution import substitute_communicator
from jaxmpi_lint.analysis.lattice.lattice import ClassReference, Communicator, Compiled, FunctionReference, Instance
from jaxmpi_lint.analysis.lattice.recursion import Solved
from jaxmpi_lint.analysis.uniformity.passed_arguments import groups_of_call
from jaxmpi_lint.library.jax.arrays import SYNCHRONISING, SYNCHRONISING_METHODS
from jaxmpi_lint.library.model import Operation

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program
    from jaxmpi_lint.analysis.lattice.lattice import Environment


@dataclass(frozen=True, slots=True)
class CommunicatorUse:
    """One operation on a communicator, named as in the caller; ``module`` and ``span`` give its own place."""

    communicator: Communicator
    operation: Operation
    module: ir.Module
    span: ir.Span
    chosen: frozenset[Outcome] = frozenset()
    """Outcomes of settings under which the operation is executed."""


def waits_for_arrays(bound: BoundCall) -> bool:
    """Whether a call needs the values of arrays, and so waits for the computation that produces them."""
    if (bound.dotted or "").removeprefix("builtins.") in SYNCHRONISING:
        return True
    return isinstance(bound.call.func, ir.Attribute) and bound.call.func.attr in SYNCHRONISING_METHODS


class CommunicatorUses:
    """The communicator uses of every function of a project, callees included; a service of the project."""

    def __init__(self, project: Program) -> None:
        self._project = project
        self._known = Solved[tuple[str, str], tuple[CommunicatorUse, ...]](())
        self._waiting = Solved[tuple[str, str], bool](False)

    def of_call(self, function: Function, bound: BoundCall, env: Environment) -> tuple[CommunicatorUse, ...]:
        """The communicators used by one call, in terms of its caller."""
        if bound.operation is not None:
            if bound.communicator is None:
                return ()
            return (CommunicatorUse(bound.communicator, bound.operation, function.module, bound.call.span),)
        callee = called_function(bound)
        target = self._project.function(callee.path, callee.qualname) if callee is not None else None
        if callee is None or target is None or target.ir.is_generator:
            return ()
        uses = [use for use in self.of_function(target) if not _is_made_in(target, use.communicator)]
        if not uses:
            return ()
        arguments = function.evaluator.calls.bind_arguments(callee, bound, env)
        groups = groups_of_call(function.evaluator, callee, bound, arguments)
        return tuple(replace(use, communicator=substitute_communicator(use.communicator, groups)) for use in uses)

    def of_function(self, function: Function) -> tuple[CommunicatorUse, ...]:
        """The communicators used by a call of a function, in terms of its parameters."""
        return self._known.of(function.key, lambda: self._of_steps(function))

    def _of_steps(self, function: Function) -> tuple[CommunicatorUse, ...]:
        found: dict[tuple[str, str, ir.Span], CommunicatorUse] = {}
        for block, step, env in function.steps():
            bound = call_of(function, step)
            for use in self.of_call(function, bound, env) if bound is not None else ():
                within = replace(use, chosen=use.chosen | choices(function, block.index))
                found.setdefault((use.communicator.context, use.module.path, use.span), within)
        return tuple(found.values())

    def waits(self, function: Function, bound: BoundCall) -> bool:
        """Whether a call, or a callee of the function that it runs, waits for arrays."""
        if waits_for_arrays(bound):
            return True
        callee = called_function(bound)
        if callee is None or isinstance(bound.callee.entity, Compiled):
            return False
        target = self._project.function(callee.path, callee.qualname)
        return target is not None and self._waiting.of(target.key, lambda: self._waits_inside(target))

    def _waits_inside(self, function: Function) -> bool:
        return any(self.waits(function, bound) for bound in function.calls())


def _is_made_in(function: Function, communicator: Communicator) -> bool:
    """Whether a function creates the communicator itself, a new one in each call."""
    path, at, offset = communicator.context.rpartition("@")
    start, end = function.ir.span
    inside = offset.isdigit() and start <= int(offset) < end
    return bool(at) and path == function.module.path and function.ir.kind != "module" and inside


def called_function(bound: BoundCall) -> FunctionReference | None:
    """The function of the project that a call runs, compiled or not."""
    entity = bound.callee.entity
    if isinstance(entity, Compiled):
        return entity.function
    return entity if isinstance(entity, FunctionReference) else None


RUNNABLE = frozenset({ClassReference, Compiled, FunctionReference, Instance})
"""Values that may run a function of the project when they are called."""


def run_function(project: Program, bound: BoundCall) -> FunctionReference | None:
    """The function of the project whose body a call runs; for a class its constructor, for an object ``__call__``."""
    entity = bound.callee.entity
    if isinstance(entity, (ClassReference, Instance)):
        model = project.class_model(entity)
        return model.method("__init__" if isinstance(entity, ClassReference) else "__call__") if model else None
    return called_function(bound)


def call_of(function: Function, step: ir.Step) -> BoundCall | None:
    """The call that a step makes."""
    if isinstance(step, ir.Evaluate) and isinstance(step.expression, ir.Call):
        return function.bound(step.expression)
    return None
