"""Objects created on a communicator (files, windows, plans), and calls that are collective only for such objects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import Communicator, ResultOf, Value
from jaxmpi_lint.library.model import Kind, Operation, Result

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall

_OBJECTS = frozenset({Result.FILE, Result.WINDOW, Result.UNKNOWN})


def applicable(operations: tuple[Operation, ...], call: ir.Call, receiver: Value | None) -> tuple[Operation, ...]:
    """The operations of a call, given its arguments: opening a file is collective if it is opened on a communicator."""
    if not operations or not any(operation.given for operation in operations):
        return operations
    return tuple(operation for operation in operations if _applies(operation, call, receiver))


def _applies(operation: Operation, call: ir.Call, receiver: Value | None) -> bool:
    if operation.given is None:
        return True
    if operation.given == "handle":
        return receiver is not None and handle_communicator(receiver) is not None
    if operation.given == "object":
        return True  # decided where the argument is evaluated
    argument = call.argument(operation.position(operation.given), operation.given)
    return argument is not None and not ir.is_none(argument)


def settled(operations: tuple[Operation, ...], communicator: Communicator | None) -> tuple[Operation, ...]:
    """The operations of a call, given its communicator: some are known only with an object that has one."""
    return tuple(operation for operation in operations if operation.given != "object" or communicator is not None)


def handle_communicator(value: Value) -> Communicator | None:
    """The communicator of a file, a window or a different object created on a communicator."""
    return value.entity.communicator if isinstance(value.entity, ResultOf) else None


def given_communicator(value: Value) -> Communicator | None:
    """The communicator that an argument is or has."""
    return value.entity if isinstance(value.entity, Communicator) else handle_communicator(value)


def made_object(bound: BoundCall, path: str) -> ResultOf:
    """The object created by a library call; its calls are a separate context among the processes that created it."""
    operation, parent, span = bound.known_operation, bound.communicator, bound.call.span
    made = operation.makes or operation.name
    creates = operation.kind is Kind.COLLECTIVE or operation.makes is not None
    if parent is None or operation.result not in _OBJECTS or not creates:
        return ResultOf(made, path, span)
    own = Communicator(f"{path}@{span[0]}", parent.groups, parent.ancestors, parent.label, span)
    return ResultOf(made, path, span, own)


def part_of_object(operation: Operation, whole: ResultOf) -> Value | None:
    """A property of an object: its communicator, or a further object on the same communicator; None for all else."""
    if whole.communicator is None or not operation.attribute:
        return None
    if operation.result is Result.COMMUNICATOR:
        return Value.uniform(whole.communicator)
    return Value(replace(whole, operation=operation.makes)) if operation.makes is not None else None


def created_in_place(bound: BoundCall, path: str) -> Iterator[tuple[str, ResultOf]]:
    """The object that a call has created, by name, if the call is a method of it: ``vector.create(comm)``."""
    operation, function = bound.known_operation, bound.call.func
    if operation.makes is None or operation.given is not None or not isinstance(function, ir.Attribute):
        return
    entity = bound.receiver.entity if bound.receiver is not None else None
    place = ir.dotted(function.value)
    if place is not None and isinstance(entity, ResultOf) and entity.operation == operation.makes:
        yield place, made_object(bound, path)
