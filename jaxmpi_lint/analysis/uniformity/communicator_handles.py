"""Objects created on a communicator (files, windows, plans), and calls that are collective only for such objects."""

from __future__ import annotations

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
    argument = call.argument(operation.position(operation.given), operation.given)
    return argument is not None and not ir.is_none(argument)


def handle_communicator(value: Value) -> Communicator | None:
    """The communicator of a file, a window or a different object created on a communicator."""
    return value.entity.communicator if isinstance(value.entity, ResultOf) else None


def made_object(bound: BoundCall, path: str) -> ResultOf:
    """The object created by a library call; its calls are a separate context among the processes that created it."""
    operation, parent, span = bound.known_operation, bound.communicator, bound.call.span
    if parent is None or operation.result not in _OBJECTS or operation.kind is not Kind.COLLECTIVE:
        return ResultOf(operation.name, path, span)
    own = Communicator(f"{path}@{span[0]}", parent.groups, parent.ancestors, parent.label, span)
    return ResultOf(operation.name, path, span, own)
