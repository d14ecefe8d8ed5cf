"""Results of calls of the project's functions, and lengths of its generators and other iterables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.constant_propagation import Given
from jaxmpi_lint.analysis.conditions.passes import rounds_to_world_size
from jaxmpi_lint.analysis.lattice.communicator_substitution import NO_GROUPS, Groups, substitute
from jaxmpi_lint.analysis.lattice.lattice import (
    NOTHING,
    UNIFORM,
    UNKNOWN,
    Entity,
    FunctionReference,
    Instance,
    Literal,
    Uniformity,
    Value,
)

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program


@dataclass(frozen=True, slots=True)
class Passed:
    """A call of a function of the project: its arguments, its communicators, its place, and its constants."""

    arguments: Mapping[str, Value]
    groups: Groups
    module: ir.Module
    span: ir.Span
    given: Callable[[], Given] = dict


def result_of_call(project: Program, reference: FunctionReference, passed: Passed) -> Value:
    """The result of a call of a project function, in terms of the caller's communicators."""
    function = project.function(reference.path, reference.qualname)
    if function is None or project.is_running(function):
        return NOTHING
    generates = function.ir.is_generator
    returned = _yielded_once(project, function, passed) if generates else _returned(project, function, passed)
    if returned is None:
        return Value.uniform(Literal.of(None))
    value = _seen_by_caller(project, function, passed, returned)
    if generates and value.structure.level.diverges:
        message = f"as long as the iteration of `{function.ir.name}`"
        value = replace(value, structure=value.structure.because(passed.module, passed.span, message))
    elif not generates and value.content.level.diverges:
        message = f"returned by `{function.ir.name}`"
        value = value.of_content(value.content.because(passed.module, passed.span, message))
    return value


def _seen_by_caller(project: Program, function: Function, passed: Passed, value: Value) -> Value:
    """A result in terms of the caller: first of the object of a method, then of the arguments."""
    owner = passed.arguments.get(function.self_name or "", NOTHING).entity
    if isinstance(owner, Instance) and owner.key != "self":
        value = project.objects.field(value, owner)
    place = f"{passed.module.path}@{passed.span[0]}"

    def seen(made: Instance) -> Entity:
        start, _, parameter = made.key.rpartition(":")
        if start == ":".join(function.key) and parameter in passed.arguments:
            return passed.arguments[parameter].entity or made
        return project.objects.passed_on(made, passed.groups, place)

    return substitute(value, replace(passed.groups, objects=seen) if passed.groups else NO_GROUPS)


def _returned(project: Program, function: Function, passed: Passed) -> Value | None:
    """The value a function returns; where it differs between processes, for an activation with the call's constants.

    Otherwise arguments that differ may make it differ.
    """
    returned = function.flow.returns
    if returned is None:
        return None
    if _differs(returned):
        return project.contexts.with_constants(function, passed.given()).flow.returns
    run = project.contexts.with_arguments(function, passed.arguments, passed.given)
    found = run.flow.returns if run is not function else None
    return found if found is not None and _differs(found) else returned


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
    found = result_of_call(project, method, Passed({function.self_name: value}, NO_GROUPS, module, span))
    return replace(value, structure=found.structure)


def _yielded_once(project: Program, function: Function, passed: Passed) -> Value:
    """The elements of a generator; unknown for one that iterates over itself."""
    with project.running_once(f"{function.module.path}:{function.ir.qualname}", "yields") as first:
        if not first:
            return NOTHING
        found = _yielded(function)
        if found.structure.level.diverges:
            return found
        run = project.contexts.with_arguments(function, passed.arguments)
        return _yielded(run) if run is not function else found


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
    inside = [found for found in function.branches() if start < found[1].span[0] < end]
    left = any(_leaves(function, block, (start, end)) for block in function.ir.blocks)
    if left or not all(start <= found.span[0] < end and not found.delegate for found in yields):
        return NOTHING
    chosen = reduce(Uniformity.join, (value.content for _, _, value in inside), UNIFORM)
    if inside and not (chosen.level.diverges and _selects(function, inside, yields)):
        return NOTHING
    return Value(None, UNKNOWN, test.structure.join(chosen), UNIFORM)


def _selects(function: Function, inside: list[tuple[ir.Block, ir.Branch, Value]], yields: list[ir.Yield]) -> bool:
    """Whether one divergent test alone decides which elements a generator yields."""
    if len(inside) != 1 or inside[0][1].kind != "if":
        return False
    branch, header = inside[0][1], function.graph.immediate_postdominator(inside[0][0].index)
    blocks = {index for index, _, node in _placed_yields(function) if node in yields}
    sides = [blocks & function.graph.reachable(side, header) for side in (branch.when_true, branch.when_false)]
    return any(sides) and not all(sides)


def _placed_yields(function: Function) -> Iterator[tuple[int, ir.Step, ir.Yield]]:
    for block in function.ir.blocks:
        for step in block.steps:
            if isinstance(step, ir.Evaluate) and isinstance(step.expression, ir.Yield):
                yield block.index, step, step.expression


def _leaves(function: Function, block: ir.Block, extent: ir.Span) -> bool:
    """Whether a block of a loop's body exits the function."""
    terminator = block.terminator
    inside = isinstance(terminator, ir.Return) and extent[0] < terminator.span[0] < extent[1]
    return inside and function.module.source(terminator.span).startswith("return")
