"""Resolved calls: callee, receiver and library entry."""

from __future__ import annotations

from dataclasses import dataclass

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import Communicator, Named, Value
from jaxmpi_lint.library.model import Operation


@dataclass(slots=True, unsafe_hash=True)  # as values are
class BoundCall:
    """A resolved call: callee, receiver and arguments.

    ``operations`` are the candidate library entries (several where versions differ), empty for other calls.
    ``communicator`` is that of the operation; None if the operation has none or it is unknown.
    """

    call: ir.Call
    callee: Value
    receiver: Value | None
    operations: tuple[Operation, ...]
    communicator: Communicator | None

    @property
    def operation(self) -> Operation | None:
        """The newest admitted entry."""
        return self.operations[-1] if self.operations else None

    @property
    def operation_may_communicate(self) -> bool:
        """Whether one of the candidate operations of the call communicates."""
        return any(operation.communicates for operation in self.operations)

    @property
    def known_operation(self) -> Operation:
        """The newest admitted entry of a call that has one: an internal error for other calls."""
        if not self.operations:
            raise LookupError(f"the call at {self.call.span} is no operation of a library")
        return self.operations[-1]

    @property
    def dotted(self) -> str | None:
        """The canonical library name of the callee."""
        if self.operations:
            return self.operations[-1].name
        return self.callee.entity.dotted if isinstance(self.callee.entity, Named) else None

    def argument(self, parameter: str | None) -> ir.Expression | None:
        """The argument bound to a named parameter of the operation."""
        if parameter is None or self.operation is None:
            return None
        return self.call.argument(self.operation.position(parameter), parameter)
