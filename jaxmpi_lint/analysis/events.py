"""Communication events: what a path through a function says to the other processes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.calls import BoundCall
from jaxmpi_lint.analysis.substitution import parameter_groups, substitute_communicator
from jaxmpi_lint.analysis.values import Communicator, FunctionReference, Literal
from jaxmpi_lint.library.model import Kind, Operation

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.evaluate import Environment
    from jaxmpi_lint.analysis.function import FunctionModel

_ORDERED = frozenset({Kind.COLLECTIVE, Kind.CONSTRUCTOR})


@dataclass(frozen=True, slots=True)
class Event:
    """One call that other processes have to match, or may have to.

    ``label`` is what has to agree: operation, communicator's context, root, reduction operator, blocking or not. An
    ``opaque`` event is a call whose communication is not known in detail; its label is what is called. The call of a
    function that does nothing but one communication is that communication.
    """

    label: tuple[str, ...]
    bound: BoundCall
    block: int
    operation: Operation | None = None
    communicator: Communicator | None = None

    @property
    def opaque(self) -> bool:
        """Whether it is not known what exactly the call communicates."""
        return self.operation is None

    @property
    def span(self) -> ir.Span:
        """The call."""
        return self.bound.call.span

    @property
    def title(self) -> str:
        """How a message names the event."""
        assert self.operation is not None
        where = f" on {self.communicator.label}" if self.communicator is not None else ""
        return f"`{self.operation.method}`{where}"


def events_of_block(function: FunctionModel, index: int) -> list[Event]:
    """The collective and opaque events of a block, in order."""
    found: list[Event] = []
    env: Environment = dict(function.flow.entries[index] or {})
    function.evaluator.calls.forget()
    for step in function.ir.blocks[index].steps:
        if isinstance(step, ir.Evaluate) and isinstance(step.expression, ir.Call):
            bound = function.flow.calls.get(step.expression.span)
            if bound is not None:
                event = _event(function, bound, index, env)
                if event is not None:
                    found.append(event)
        function.flow.step(step, env)
    return found


def _event(function: FunctionModel, bound: BoundCall, index: int, env: Environment) -> Event | None:
    if bound.operation is not None:
        return _operation_event(function, bound, index, env)
    if not function.project.may_communicate(bound):
        return None
    entity = bound.callee.entity
    if not isinstance(entity, FunctionReference):
        return Event(("call", function.module.source(bound.call.func.span)), bound, index)
    wrapped = function.project.summaries.wrapped(entity.path, entity.qualname)
    if wrapped is None:
        return Event(("call", entity.path, entity.qualname), bound, index)
    return _wrapped_event(function, bound, index, env, entity, wrapped)


def _operation_event(function: FunctionModel, bound: BoundCall, index: int, env: Environment) -> Event | None:
    operation = bound.operation
    assert operation is not None
    if operation.kind not in _ORDERED:
        return None
    if bound.communicator is None or _names_its_processes(function, bound):
        return Event(("unknown", operation.name), bound, index)
    root = _constant_or_text(function, bound.argument(operation.root), operation, operation.root, env)
    reduction = _constant_or_text(function, bound.argument(operation.reduction), operation, operation.reduction, env)
    label = (operation.event, bound.communicator.context, root, reduction, str(operation.blocking))
    return Event(label, bound, index, operation, bound.communicator)


def _names_its_processes(function: FunctionModel, bound: BoundCall) -> bool:
    """Whether a barrier or a manager of JAX processes is told which of them take part."""
    if any(argument.keyword in ("processes", "active_processes") for argument in bound.call.args):
        return True
    return (
        bound.operation is not None
        and bound.operation.library == "orbax"
        and ("active_processes" in function.module.text)
    )


def _wrapped_event(
    function: FunctionModel, bound: BoundCall, index: int, env: Environment, callee: FunctionReference, inner: Event
) -> Event:
    """The event of a function that does nothing but one communication, in the caller's terms."""
    arguments = function.evaluator.calls.bind_arguments(callee, bound, env)
    assert inner.communicator is not None
    groups = parameter_groups(callee.path, callee.qualname, arguments)
    communicator = substitute_communicator(inner.communicator, groups)
    event, _, root, reduction, blocking = inner.label
    parts = []
    for text in (root, reduction):
        entity = arguments[text].entity if text in arguments else None
        parts.append(repr(entity.value) if isinstance(entity, Literal) else text)
    return Event((event, communicator.context, *parts, blocking), bound, index, inner.operation, communicator)


def _constant_or_text(
    function: FunctionModel, argument: ir.Expression | None, operation: Operation, name: str | None, env: Environment
) -> str:
    """A root or reduction operator in a form that is equal where the values are visibly equal."""
    if argument is None:
        return dict(operation.defaults).get(name or "", "")
    entity = function.value(argument, env).entity
    if isinstance(entity, Literal):
        return repr(entity.value)
    return " ".join(function.module.source(argument.span).split())
