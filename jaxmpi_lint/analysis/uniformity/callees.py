"""Function of the project that a call runs, and the substitution for its parameters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.conditions.constant_propagation import Arguments, Constants, arguments_of
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.lattice.communicator_substitution import Groups, substitute_communicator
from jaxmpi_lint.analysis.lattice.interfaces import Part
from jaxmpi_lint.analysis.lattice.lattice import (
    ClassReference,
    Communicator,
    FunctionReference,
    Instance,
    Literal,
    Value,
)
from jaxmpi_lint.analysis.uniformity.communicator_usage import run_function
from jaxmpi_lint.analysis.uniformity.passed_arguments import groups_of_call, with_defaults

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment


@dataclass(frozen=True, slots=True)
class Callee:
    """A called function; ``rename`` maps its communicators to those of the caller.

    ``inherited`` marks a method that is run for an object of a derived class, whose own methods it calls; ``passed``
    are the arguments as the caller writes them.
    """

    function: Function
    arguments: dict[str, Value]
    rename: Callable[[Communicator], Communicator]
    inherited: bool = False
    passed: Arguments = field(default_factory=dict)
    part: Part = Part.WHOLE

    def constants(self, caller: Constants) -> Constants:
        """The constants of this activation of the function, given those of its caller."""
        return Constants(self.function, caller.passed(self.passed))

    @property
    def key(self) -> tuple[str, str]:
        """Path and qualified name."""
        return self.function.key


def callee_of(function: Function, bound: BoundCall, env: Environment, part: Part = Part.WHOLE) -> Callee | None:
    """The function whose body a call runs immediately; None if it is unknown, or not run by the call itself."""
    reference = run_function(function.project, bound)
    if reference is None:
        return None
    target = function.project.function(reference.path, reference.qualname)
    if target is None or target.ir.is_async or target.ir.is_too_large:
        return None
    if target.ir.is_generator and part is Part.WHOLE:
        return None
    arguments = function.evaluator.calls.bind_arguments(reference, bound, env)
    arguments = with_defaults(target, arguments, bound)
    groups = groups_of_call(function.evaluator, reference, bound, arguments)
    owner = _object_of(function, bound, env)
    wrapper = function.project.decorators.wrapper(target) if not reference.bare else None
    if wrapper is not None:
        return Callee(wrapper, {}, _renaming(function, owner, groups), part=part)
    run = function.project.objects.inherited(target, owner)
    if run is not None:
        passed = arguments_of(function, bound, run)
        return Callee(run, arguments, _renaming(function, None, groups), True, passed, part)
    passed = arguments_of(function, bound, target)
    return Callee(target, arguments, _renaming(function, owner, groups), passed=passed, part=part)


def awaited(function: Function, bound: BoundCall, reference: FunctionReference, env: Environment) -> Callee:
    """A function that a call does not run itself, such as a coroutine, with the arguments of the call."""
    target = function.project.function(reference.path, reference.qualname)
    assert target is not None
    arguments = with_defaults(target, function.evaluator.calls.bind_arguments(reference, bound, env), bound)
    groups = groups_of_call(function.evaluator, reference, bound, arguments)
    return Callee(target, arguments, _renaming(function, _object_of(function, bound, env), groups))


def _object_of(function: Function, bound: BoundCall, env: Environment) -> Instance | None:
    """The object whose method is called, or that is created."""
    if isinstance(bound.callee.entity, ClassReference):
        made = function.value(bound.call, env).entity
        return made if isinstance(made, Instance) else None
    owner = bound.receiver.entity if bound.receiver is not None else None
    return owner if isinstance(owner, Instance) else None


def _renaming(function: Function, owner: Instance | None, groups: Groups) -> Callable[[Communicator], Communicator]:
    objects = function.project.objects

    def rename(communicator: Communicator) -> Communicator:
        if owner is not None and owner.key != "self":
            communicator = objects.seen_from_outside(communicator, owner)
        return substitute_communicator(communicator, groups)

    return rename


def literal(value: Value | None) -> Literal | None:
    """The constant of a constant value."""
    return value.entity if value is not None and isinstance(value.entity, Literal) else None
