"""Communication events: the communication of a function, block by block."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.one_rank import Member, OneRank
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.lattice.event_parts import SIZES, Agreed
from jaxmpi_lint.analysis.lattice.interfaces import UNKNOWN, Event, Part
from jaxmpi_lint.analysis.lattice.lattice import Communicator, FunctionReference, Literal, Named, Value
from jaxmpi_lint.analysis.uniformity.callees import Callee, awaited, callee_of
from jaxmpi_lint.analysis.uniformity.context_managers import entered, is_context_manager
from jaxmpi_lint.analysis.uniformity.generator_consumers import GeneratorConsumers
from jaxmpi_lint.analysis.uniformity.implicit_calls import ImplicitCall
from jaxmpi_lint.library.levels import Level
from jaxmpi_lint.library.model import Kind, Operation
from jaxmpi_lint.library.mpi.mpi4py_names import ROOTS_OF_INTERCOMMUNICATOR

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_ORDERED = frozenset({Kind.COLLECTIVE, Kind.CONSTRUCTOR})
_OUT_OF_ORDER = frozenset({"Agree", "Iagree", "Ishrink", "Shrink"})
"""Operations for recovery after a failure, which need not be called in step with other collectives."""


YIELDS = ("yield",)
"""The label of a place where a generator hands over to its consumer."""


def events_of_block(function: Function, index: int, yields: bool = False) -> list[Event]:
    """The collective and opaque events of a block, in order; ``yields`` are marked among them if wanted."""
    found: list[Event] = []
    env: Environment = dict(function.flow.entries[index] or {})
    function.evaluator.calls.forget()
    implicit = function.project.summaries.implicit_calls(function)
    for step in function.ir.blocks[index].steps:
        if implicit is not None:
            found += _implicit_events(function, implicit.of_step(step, env), index, env)
        if isinstance(step, ir.Evaluate) and isinstance(step.expression, ir.Call):
            bound = function.flow.calls.get(step.expression.span)
            if bound is not None:
                event = _event(function, bound, index, env)
                if event is not None:
                    found.append(event)
        elif yields and isinstance(step, ir.Evaluate) and isinstance(step.expression, ir.Yield):
            found.append(Event(YIELDS, step.expression.span, index))
        function.flow.step(step, env)
    if index in function.get(GeneratorConsumers).loops.values():
        found += _next_items(function, index)
    if implicit is not None:
        terminator = function.ir.blocks[index].terminator
        found += _implicit_events(function, implicit.of_terminator(terminator, env), index, env)
    return found


def _implicit_events(
    function: Function, calls: Iterable[ImplicitCall], index: int, env: Environment
) -> Iterator[Event]:
    """Events of calls that are not written as calls."""
    for implicit in calls:
        callee = callee_of(function, implicit.bound, env, implicit.part)
        if callee is not None and function.project.summaries.function_may_communicate(callee.key):
            yield Event(("call", *callee.key), implicit.bound.call.span, index, callee=callee)


def _next_items(function: Function, header: int) -> Iterator[Event]:
    """The continuation of a generator by the loop over its items."""
    for block, bound in function.calls_by_block:
        if function.get(GeneratorConsumers).loop_of(bound) == header:
            env = function.flow.environment_before(block, None)
            event = _of_items(function, bound, header, env, Part.NEXT_ITEM, header)
            if event is not None:
                yield event


def _of_items(
    function: Function, bound: BoundCall, index: int, env: Environment, part: Part, loop: int = -1
) -> Event | None:
    """The event of a consumer that runs a generator."""
    callee = callee_of(function, bound, env, part)
    if callee is None or not function.project.summaries.function_may_communicate(callee.key):
        return None
    return Event(("call", *callee.key, part.value), bound.call.span, index, callee=callee, loop=loop)


def _event(function: Function, bound: BoundCall, index: int, env: Environment) -> Event | None:
    if bound.operation is not None:
        return _operation_event(function, bound, index, env)
    may_communicate = function.project.summaries.call_may_communicate(bound, function.module)
    if not may_communicate and not _hands_over(function, bound, env):
        return None
    if is_context_manager(function, bound) and bound.call.span in entered(function.ir):
        return None  # what it communicates belongs to the entry and the exit
    loop = function.get(GeneratorConsumers).loop_of(bound)
    if loop is not None:
        return _of_items(function, bound, index, env, Part.FIRST_ITEM, loop)
    if function.get(GeneratorConsumers).exhausts(bound):
        return _of_items(function, bound, index, env, Part.ALL_ITEMS)
    entity = bound.callee.entity
    span = bound.call.span
    callee = callee_of(function, bound, env)
    if isinstance(entity, FunctionReference) and not (callee is not None and callee.inherited):
        wrapped = function.project.summaries.function_must_communicate(entity.key)
        if wrapped is not None:
            return _wrapped_event(bound, index, callee or awaited(function, bound, entity, env), wrapped)
    runs_now = callee is not None and not _hands_over(function, bound, env)
    if callee is not None and runs_now and function.project.summaries.function_may_communicate(callee.key):
        return Event(("call", *callee.key), span, index, callee=callee)
    return Event(("call", function.module.source(bound.call.func.span)), span, index)


def _hands_over(function: Function, bound: BoundCall, env: Environment) -> bool:
    """Whether a call receives a function that may communicate and may run immediately, later, or in a thread."""
    summaries = function.project.summaries
    for argument in bound.call.args:
        if isinstance(argument.value, (ir.Name, ir.Attribute, ir.Lambda)):
            entity = function.value(argument.value, env).entity
            if isinstance(entity, FunctionReference) and summaries.function_may_communicate(entity.key):
                return True
    return False


def _operation_event(function: Function, bound: BoundCall, index: int, env: Environment) -> Event | None:
    operation = bound.known_operation
    if operation.kind not in _ORDERED:
        return None
    if bound.communicator is None or operation.method in _OUT_OF_ORDER or _names_its_processes(function, bound):
        return Event((UNKNOWN, operation.name), bound.call.span, index)
    label = (on_the_wire(operation), bound.communicator.context, str(operation.blocking))
    argument = bound.argument(operation.root)
    root = _agreed(function, argument, operation, operation.root, env)
    if argument is not None:
        root = replace(root, ranks=_ranks(function, argument, bound.communicator, env))
    reduction = _agreed(function, bound.argument(operation.reduction), operation, operation.reduction, env)
    return Event(label, bound.call.span, index, operation, bound.communicator, root, reduction)


def _ranks(function: Function, root: ir.Expression, communicator: Communicator, env: Environment) -> tuple[int, ...]:
    """The rank of a root in communicators of a few sizes; empty if the size does not determine it."""
    if isinstance(root, ir.Constant) or function.value(root, env).content.level.diverges:
        return ()
    found = [OneRank(Member(0, size, communicator.groups)).number(function, root, env) for size in SIZES]
    ranks = tuple(rank for rank in found if rank is not None and rank >= 0)
    return ranks if len(ranks) == len(SIZES) else ()


def on_the_wire(operation: Operation) -> str:
    """The common name of calls that match each other; a barrier has no data that could be pickled."""
    return "Barrier" if operation.event == "barrier" else operation.event


def _names_its_processes(function: Function, bound: BoundCall) -> bool:
    """Whether a barrier or a manager of JAX processes is given the participating processes."""
    if any(argument.keyword in ("processes", "active_processes") for argument in bound.call.args):
        return True
    return (
        bound.operation is not None
        and bound.operation.library == "orbax"
        and ("active_processes" in function.module.text)
    )


def _wrapped_event(bound: BoundCall, index: int, callee: Callee, inner: Event) -> Event:
    """The event of a function that consists of one communication, in the caller's terms."""
    assert inner.communicator is not None
    communicator = callee.rename(inner.communicator)
    return replace(
        inner,
        label=(inner.label[0], communicator.context, inner.label[2]),
        span=bound.call.span,
        block=index,
        communicator=communicator,
        root=passed(inner.root, callee.arguments),
        reduction=passed(inner.reduction, callee.arguments),
    )


def passed(inner: Agreed, arguments: dict[str, Value]) -> Agreed:
    """A root or reduction operator of a function in the caller's terms."""
    if inner.known or inner.text not in arguments:
        return inner
    return _agreed_value(arguments[inner.text], inner.text)


def _agreed(
    function: Function, argument: ir.Expression | None, operation: Operation, name: str | None, env: Environment
) -> Agreed:
    if argument is None:
        default = operation.default(name) if name is not None else None
        return Agreed(default or "")
    return _agreed_value(function.value(argument, env), function.module.line(argument.span))


def _agreed_value(value: Value, text: str) -> Agreed:
    match value.entity:
        case Literal(value=constant):
            return Agreed(repr(constant))
        case Named(dotted) if dotted not in ROOTS_OF_INTERCOMMUNICATOR and value.content.level is not Level.RANK:
            return Agreed(dotted.rpartition(".")[2])
    return Agreed(text, False, value.content)
