"""Calls of collectives with a root in which one of the two buffers is significant on the root only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.guards import guards

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.conditions.guards import Guard
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.library.model import Operation

ROOTED = frozenset({"Reduce", "Gather", "Gatherv", "Scatter", "Scatterv"})


def blocking_name(operation: Operation) -> str:
    """The blocking method: ``Allreduce`` for ``Iallreduce`` and ``Allreduce_init``."""
    name = operation.method.removesuffix("_init")
    return name if operation.blocking or operation.method != name else name.removeprefix("I").capitalize()


def is_of_root(function: Function, block: int, bound: BoundCall) -> bool | None:
    """Whether only the root makes the call (True), only other ranks (False), or all ranks (None)."""
    if blocking_name(bound.known_operation) not in ROOTED:
        return None
    root = bound.argument("root")
    number = 0 if root is None else root.value if isinstance(root, ir.Constant) else None
    decided = [_decided(guard, number) for guard in guards(function, block) if guard.by_role]
    if not decided:
        return None
    return all(outcome is True for outcome in decided)


def has_unknown_role(function: Function, block: int) -> bool:
    """Whether a test that selects ranks by a name decides that a block runs: ``if worker.is_master:``."""
    return any(guard.by_role and guard.fact is None for guard in guards(function, block))


def significant_at_root(operation: Operation) -> tuple[str, ...]:
    """The parameters of the buffer that ranks other than the root need not have (MPI 4.1, sections 6.5, 6.6, 6.9)."""
    name = blocking_name(operation)
    if name not in ROOTED:
        return ()
    return operation.sends if name.startswith("Scatter") else operation.receives


def _decided(guard: Guard, root: object) -> bool | None:
    fact = guard.fact
    if fact is None or type(root) is not int:
        return None
    return fact.decide("==", root)
