"""Devices of a traced function: those of all JAX processes, or provably of one."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.jax.device_sets import asks_for
from jaxmpi_lint.analysis.jax.global_arrays import launches_on_global_array
from jaxmpi_lint.analysis.lattice.lattice import Compiled
from jaxmpi_lint.library.jax.device_placement import ALL_DEVICES, OWN_DEVICES, PLACEMENT_PARAMETERS
from jaxmpi_lint.library.jax.mapping_transforms import MULTI_DEVICE_PROGRAMS
from jaxmpi_lint.library.model import Kind

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


_Place = tuple["Function", ir.Expression]


class Reach(StrEnum):
    """The processes whose devices a program runs on."""

    ALL = "all"
    OWN = "own"
    UNKNOWN = "unknown"


def reach_of(function: Function) -> Reach:
    """The devices of the program that a function is traced for, as far as they are known."""
    story = function.project.traced.story(function)
    if not story:
        return Reach.UNKNOWN
    entry = story[1].caller if len(story) > 1 and story[1].caller is not None else function.key
    places = list(_places(function, entry, story[0].span))
    if any(asks_for(holder, place, OWN_DEVICES) for holder, place in places):
        return Reach.OWN
    mapped = any(trace.transform.name in MULTI_DEVICE_PROGRAMS for trace in story)
    if mapped or any(asks_for(holder, place, ALL_DEVICES) for holder, place in places):
        return Reach.ALL
    exchanges = any(operation.kind is Kind.AXIS_COLLECTIVE for b in function.calls() for operation in b.operations)
    return Reach.ALL if exchanges or _is_launched_globally(function, entry) else Reach.UNKNOWN


def _places(function: Function, entry: tuple[str, str], applied: ir.Span) -> Iterator[_Place]:
    """The arguments of a transform that determine the devices of the program."""
    target = function.project.function(*entry)
    if target is None:
        return
    calls: list[_Place] = [(target.module_model.body, decorator) for decorator in target.ir.decorators]
    calls += [(f, b.call) for f in target.module_model.functions() for b in f.calls() if b.call.span == applied]
    for holder, call in calls:
        for argument in call.args if isinstance(call, ir.Call) else ():
            if argument.keyword in PLACEMENT_PARAMETERS:
                yield holder, argument.value


def _is_launched_globally(function: Function, entry: tuple[str, str]) -> bool:
    for model in function.project.modules():
        for caller in model.functions():
            for bound in caller.calls():
                match bound.callee.entity:
                    case Compiled(_, compiled) if (compiled.path, compiled.qualname) == entry:
                        if launches_on_global_array(caller, bound):
                            return True
    return False
