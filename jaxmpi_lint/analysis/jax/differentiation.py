"""Where JAX differentiates functions of the project, with respect to which parameters, and through which calls."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.call_steps import named_steps
from jaxmpi_lint.analysis.cfg.expected_failures import is_answered
from jaxmpi_lint.analysis.jax.custom_derivatives import has_rules
from jaxmpi_lint.analysis.jax.differentiable_values import CarriedValues, called
from jaxmpi_lint.analysis.lattice.lattice import Compiled, Entity, FunctionReference, Named
from jaxmpi_lint.analysis.lattice.limits import DIFFERENTIATED_CALLS
from jaxmpi_lint.library.jax.derivatives import (
    BOTH_MODES,
    BY_ALL_ARGUMENTS,
    BY_ARGNUMS,
    BY_PRIMALS,
    FORWARD_MODE,
    OPERANDS_OF_PARAMETERS,
    REMATERIALISING,
)
from jaxmpi_lint.library.python.names import PARTIAL

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_Place = tuple[ir.Module, ir.Span]
_Found = tuple[CarriedValues, "BoundCall", _Place | None]

_TRANSFORMS = frozenset({*BY_ARGNUMS, *BY_ALL_ARGUMENTS, *BY_PRIMALS})
_EXPECTS_FAILURE = re.compile(r"\b(?:raises|assertRaises\w*)\(|\bxfail\b|\bexpectedFailure\b")
_REFUSALS = frozenset({"BaseException", "Exception", "NotImplementedError", "RuntimeError", "TypeError"})
"""The exceptions of operations without a derivative, and their base classes."""


@dataclass(frozen=True, slots=True)
class Derivative:
    """One application of a transform; ``forward`` and ``backward`` are the modes in which it propagates derivatives.

    ``rematerialised``: the function is wrapped in a checkpoint where it is differentiated.
    """

    target: Function
    parameters: frozenset[str]
    module: ir.Module
    span: ir.Span
    forward: bool
    backward: bool
    rematerialised: bool = False


@dataclass(frozen=True, slots=True)
class Differentiated:
    """An operation in a differentiated function; ``checkpoint`` is the call of a rematerialised one around it."""

    values: CarriedValues
    bound: BoundCall
    derivative: Derivative
    checkpoint: _Place | None

    @property
    def place(self) -> tuple[str, ir.Span]:
        """The file and the place of the operation."""
        return self.values.function.module.path, self.bound.call.span


def differentiated(project: Program) -> tuple[Differentiated, ...]:
    """The operations that a project differentiates through, in the files to be reported; duplicates are possible."""
    return project.get(_OfProject).found


class _OfProject:
    """The differentiated operations of one project, computed once for all rules."""

    def __init__(self, project: Program) -> None:
        self.found = tuple(_found(project))


def _found(project: Program) -> Iterator[Differentiated]:
    paths = {module.ir.path for module in project.reported_modules()}
    for module in project.modules() if project.mentions(("mpi4jax",)) else ():
        for function in module.functions():
            for derivative in derivatives(function):
                yield from (found for found in operations(derivative) if found.place[0] in paths)


def derivatives(function: Function) -> Iterator[Derivative]:
    """The derivatives that a function takes of others, or that its decorators take of itself.

    A test that expects a failure takes none, nor does a ``try`` that handles the exception of a missing derivative.
    """
    parts = (function.ir.span, *(decorator.span for decorator in function.ir.decorators))
    text = " ".join(map(function.module.source, parts)) if function.ir.kind != "module" else ""
    if _EXPECTS_FAILURE.search(text):
        return
    for decorator in function.ir.decorators:
        name = _transform(function.module_model.body, decorator, {})
        if name is not None:
            call = decorator if isinstance(decorator, ir.Call) else None
            yield _derivative(function, name, call, (function.module, decorator.span), bound=False)
    for _, bound, env in named_steps(function, _TRANSFORMS):
        call = bound.call
        name = _transform(function, call.func, env)
        given = call.argument(0, None) or call.argument(None, "fun") or call.argument(None, "f")
        target = _function_of(function, given, env) if name is not None and given is not None else None
        tried = name is not None and is_answered(function.ir, call.span, _REFUSALS)
        if name is not None and given is not None and target is not None and not tried:
            found = _derivative(
                target, name, call, (function.module, call.span), _is_bound(function.value(given, env).entity)
            )
            yield replace(found, rematerialised=_is_wrapped(function.value(given, env).entity))


def operations(derivative: Derivative) -> Iterator[Differentiated]:
    """The operations of mpi4jax that are differentiated through, or that lie in a checkpoint on the call path."""
    if derivative.parameters and not has_rules(derivative.target):
        values = CarriedValues(derivative.target, derivative.parameters)
        wrapped = derivative.rematerialised or _is_checkpoint(derivative.target)
        around = (derivative.module, derivative.span) if wrapped else None
        for inner, bound, checkpoint in _operations(values, around, 0):
            yield Differentiated(inner, bound, derivative, checkpoint)


def _operations(values: CarriedValues, around: _Place | None, depth: int) -> Iterator[_Found]:
    function = values.function
    for bound in function.calls():
        if any(operation.library == "mpi4jax" and operation.communicates for operation in bound.operations):
            yield values, bound, around
            continue
        for target, given, wrapped in _run_by(values, bound):
            if depth >= DIFFERENTIATED_CALLS or has_rules(target) or target is function:
                continue
            repeated = wrapped or _is_checkpoint(target)
            inside = (function.module, bound.call.span) if repeated and given and around is None else around
            if given or inside is not None:
                yield from _operations(CarriedValues(target, given), inside, depth + 1)


def _run_by(values: CarriedValues, bound: BoundCall) -> Iterator[tuple[Function, frozenset[str], bool]]:
    """The functions that a call runs, the differentiated names in them, and whether a checkpoint encloses them.

    The bodies of ``scan`` and loops and the branches of ``cond`` receive their operands; one value outside is one value
    inside. Inner functions see the names of the function.
    """
    function = values.function
    target = called(function, bound)
    if target is not None:
        yield target, values.passed(bound, target) | _seen(values, target), _is_wrapped(bound.callee.entity)
        return
    name = function.project.canonical(bound.dotted) if bound.dotted is not None else ""
    for position, operands in OPERANDS_OF_PARAMETERS.get(name, ()):
        given = bound.call.argument(position, None)
        body = _function_of(function, given, dict(function.flow.exit)) if given is not None else None
        if body is None or given is None:
            continue
        formal = [parameter.name for parameter in body.ir.parameters if parameter.name != body.self_name]
        chosen = {
            formal[number]
            for number, operand in operands
            if number < len(formal) and values.carries(bound.call.argument(operand, None))
        }
        wrapped = _is_wrapped(function.value(given, dict(function.flow.exit)).entity)
        yield body, frozenset(chosen) | _seen(values, body), wrapped


def _seen(values: CarriedValues, target: Function) -> frozenset[str]:
    """The names of a function that an inner function uses unchanged."""
    if target.parent is not values.function:
        return frozenset()
    return frozenset(name for name in values.names if not target.is_local(name))


def _derivative(target: Function, name: str, call: ir.Call | None, place: _Place, bound: bool = True) -> Derivative:
    """The derivative of a function; the object of one that is not ``bound`` counts as an argument."""
    formal = [p.name for p in target.ir.parameters if p.name != target.self_name or not bound]
    chosen = range(len(formal)) if name in BY_ALL_ARGUMENTS else (0,) if name in BY_PRIMALS else _numbers(call)
    parameters = frozenset(formal[number] for number in chosen if -len(formal) <= number < len(formal))
    return Derivative(target, parameters, *place, name in FORWARD_MODE | BOTH_MODES, name not in FORWARD_MODE)


def _numbers(call: ir.Call | None) -> tuple[int, ...]:
    """The positions of the parameters that a transform differentiates with respect to."""
    given = call.argument(None, "argnums") or call.argument(1, None) if call is not None else None
    if given is None:
        return () if call is not None and call.has_star else (0,)
    parts = given.elements if isinstance(given, ir.Collection) else (given,)
    numbers = [part.value for part in parts if isinstance(part, ir.Constant) and type(part.value) is int]
    return tuple(numbers) if len(numbers) == len(parts) else ()


def _transform(function: Function, expression: ir.Expression, env: Environment) -> str | None:
    """The transform that an expression denotes, or ``functools.partial`` of one."""
    if isinstance(expression, ir.Call):
        named = function.value(expression.func, env).entity
        partial = named == Named(PARTIAL) and bool(expression.args)
        return _transform(function, expression.args[0].value if partial else expression.func, env)
    entity = function.value(expression, env).entity
    name = function.project.canonical(entity.dotted) if isinstance(entity, Named) else None
    return name if name in _TRANSFORMS else None


def _function_of(function: Function, expression: ir.Expression, env: Environment) -> Function | None:
    entity = function.value(expression, env).entity
    if isinstance(entity, Compiled):
        entity = entity.function
    return function.project.function(entity.path, entity.qualname) if isinstance(entity, FunctionReference) else None


def _is_bound(entity: Entity | None) -> bool:
    """Whether a method is bound to an object; unknown for a compiled method."""
    return not isinstance(entity, FunctionReference) or entity.bound


def _is_wrapped(entity: Entity | None) -> bool:
    return isinstance(entity, Compiled) and entity.transform in REMATERIALISING


def _is_checkpoint(target: Function) -> bool:
    """Whether a decorator rematerialises a function."""
    body = target.module_model.body
    for decorator in target.ir.decorators:
        callee = decorator
        if isinstance(decorator, ir.Call):
            partial = body.value(decorator.func, {}).entity == Named(PARTIAL) and decorator.args
            callee = decorator.args[0].value if partial else decorator.func
        entity = body.value(callee, dict(body.flow.exit)).entity
        if isinstance(entity, Named) and body.project.canonical(entity.dotted) in REMATERIALISING:
            return True
    return False
