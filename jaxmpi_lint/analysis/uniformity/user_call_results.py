"""Results of calls of the project's functions, and lengths of its generators and other iterables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.constant_propagation import Given
from jaxmpi_lint.analysis.lattice.communicator_substitution import parameter_groups, substitute
from jaxmpi_lint.analysis.lattice.lattice import NOTHING, UNIFORM, UNKNOWN, FunctionReference, Instance, Literal, Value
from jaxmpi_lint.analysis.small_worlds.passes import rounds_to_world_size

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program


def result_of_call(
    project: Program,
    reference: FunctionReference,
    arguments: dict[str, Value],
    module: ir.Module,
    span: ir.Span,
    given: Callable[[], Given] = dict,
) -> Value:
    """The result of a call of a project function, in terms of the caller's communicators.

    ``given`` are the constants that the call passes.
    """
    function = project.function(reference.path, reference.qualname)
    if function is None or project.is_running(function):
        return NOTHING
    returned = _yielded_once(project, function) if function.ir.is_generator else _returned(project, function, given)
    if returned is None:
        return Value.uniform(Literal.of(None))
    value = substitute(returned, parameter_groups(reference.path, reference.qualname, arguments))
    if function.ir.is_generator:
        value = _seen_by_user(project, function, arguments, value)
        if value.structure.level.diverges:
            told = value.structure.because(module, span, f"as long as the iteration of `{function.ir.name}`")
            value = replace(value, structure=told)
    elif value.content.level.diverges:
        value = value.of_content(value.content.because(module, span, f"returned by `{function.ir.name}`"))
    return value


def _returned(project: Program, function: Function, given: Callable[[], Given]) -> Value | None:
    """The value a function returns; where it differs between processes, for an activation with the call's constants."""
    returned = function.flow.returns
    if returned is None or not _differs(returned):
        return returned
    return project.contexts.with_constants(function, given()).flow.returns


def _differs(value: Value) -> bool:
    parts = value.elements or ()
    facets = (value.content, value.structure, value.noneness)
    return any(facet.level.diverges for facet in facets) or any(map(_differs, parts))


def iterated(project: Program, value: Value, module: ir.Module, span: ir.Span) -> Value:
    """An object of the project as the result of its ``__iter__``; every other value unchanged."""
    model = project.class_model(value.entity) if isinstance(value.entity, Instance) else None
    method = model.method("__iter__") if model is not None else None
    function = project.function(method.path, method.qualname) if method is not None else None
    if method is None or function is None or function.self_name is None or not function.ir.is_generator:
        return value
    found = result_of_call(project, method, {function.self_name: value}, module, span)
    return replace(value, structure=found.structure)


def _seen_by_user(project: Program, function: Function, arguments: dict[str, Value], value: Value) -> Value:
    owner = arguments[function.self_name].entity if function.self_name in arguments else None
    return project.objects.field(value, owner) if isinstance(owner, Instance) and owner.key != "self" else value


def _yielded_once(project: Program, function: Function) -> Value:
    """The elements of a generator; unknown for one that iterates over itself."""
    with project.running_once(f"{function.module.path}:{function.ir.qualname}", "yields") as first:
        return _yielded(function) if first else NOTHING


def _yielded(function: Function) -> Value:
    """An iterable as long as the iterable of the only loop around the yields of a generator."""
    if function.ir.is_async or rounds_to_world_size(function):
        return NOTHING
    evaluated = [step.expression for step in function.ir.steps() if isinstance(step, ir.Evaluate)]
    yields = [expression for expression in evaluated if isinstance(expression, ir.Yield)]
    loops = [(branch, test) for _, branch, test in function.branches() if branch.kind == "for"]
    around = [(b, test) for b, test in loops if any(b.extent[0] <= y.span[0] < b.extent[1] for y in yields)]
    if len(around) != 1:
        return NOTHING
    (start, end), test = around[0][0].extent, around[0][1]
    inside = [branch for _, branch, _ in function.branches() if start < branch.span[0] < end]
    left = any(_leaves(function, block, (start, end)) for block in function.ir.blocks)
    if left or inside or not all(start <= found.span[0] < end and not found.delegate for found in yields):
        return NOTHING
    return Value(None, UNKNOWN, test.structure, UNIFORM)


def _leaves(function: Function, block: ir.Block, extent: ir.Span) -> bool:
    """Whether a block of a loop's body exits the function."""
    terminator = block.terminator
    inside = isinstance(terminator, ir.Return) and extent[0] < terminator.span[0] < extent[1]
    return inside and function.module.source(terminator.span).startswith("return")
