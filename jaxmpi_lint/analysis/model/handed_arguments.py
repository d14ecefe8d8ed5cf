"""Arguments of collectives that a function hands to the functions that it calls, and that depend on the rank."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.conditions.division import divides, parts_by_rank
from jaxmpi_lint.analysis.lattice.lattice import Communicator, FunctionReference, Uniformity
from jaxmpi_lint.analysis.model.communication_events import passed
from jaxmpi_lint.library.model import COLLECTIVE_KINDS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Event, Function


def handed_arguments(function: Function) -> Iterator[tuple[Event, str, Uniformity]]:
    """The collectives of called functions with a root, an operator or a communicator that the rank decides."""
    direct = {bound.call.span for bound in function.operation_calls}
    for block in function.ir.blocks:
        if function.flow.entries[block.index] is None:
            continue
        for event in function.block_events(block.index):
            if event.span not in direct:
                yield from _of_event(function, event)


def _of_event(function: Function, event: Event) -> Iterator[tuple[Event, str, Uniformity]]:
    parameters = _parameters(function, event)
    for inner in _collectives(event) if parameters else ():
        for what, agreed in (("root", inner.root), ("operator", inner.reduction)):
            communicator, content = inner.communicator, agreed.uniformity
            if communicator is None or agreed.known or agreed.text not in parameters:
                continue
            if divides(function, content, communicator, by_rank=True):
                yield inner, what, content
    yield from _by_choice(function, event)


def _by_choice(function: Function, event: Event) -> Iterator[tuple[Event, str, Uniformity]]:
    """The collectives of a called function on a communicator that the function chooses by the rank."""
    known: dict[str, Uniformity | None] = {}
    for inner in _collectives(event):
        if inner.communicator is None or not inner.communicator.is_one_of_several:
            continue
        context = inner.communicator.context
        if context not in known:
            known[context] = _choice(function, event.block, inner.communicator)
        content = known[context]
        if content is not None:
            yield inner, "communicator", content


def _choice(function: Function, block: int, communicator: Communicator) -> Uniformity | None:
    """Why the ranks have different ones of the communicators that a name of the function may stand for."""
    values = function.flow.environment_before(block, None).values()
    held = [value for value in values if value.entity == communicator]
    parted = [value.content for value in held if parts_by_rank(value.content, communicator)]
    return parted[0] if parted and len(parted) == len(held) else None


def _parameters(function: Function, event: Event) -> frozenset[str]:
    """The parameters of the called function: another root is one of its own, which is reported there."""
    bound = function.flow.calls.get(event.span)
    entity = bound.callee.entity if bound is not None else None
    target = function.project.function(entity.path, entity.qualname) if isinstance(entity, FunctionReference) else None
    return frozenset(parameter.name for parameter in target.ir.parameters) if target is not None else frozenset()


def _collectives(event: Event) -> Iterator[Event]:
    """The collectives of a call in the caller's terms: the one that it consists of, or those of the called function."""
    if event.operation is not None:
        if event.operation.kind in COLLECTIVE_KINDS:
            yield event
        return
    callee = event.callee
    if callee is None or callee.function.project.is_running(callee.function):
        return
    for block in callee.function.ir.blocks:
        for inner in callee.function.block_events(block.index) if callee.function.flow.entries[block.index] else ():
            if inner.operation is None or inner.communicator is None or inner.operation.kind not in COLLECTIVE_KINDS:
                continue
            yield replace(
                inner,
                span=event.span,
                block=event.block,
                communicator=callee.rename(inner.communicator),
                root=passed(inner.root, callee.arguments),
                reduction=passed(inner.reduction, callee.arguments),
            )
