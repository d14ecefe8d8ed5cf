"""The numbers by which compiled functions refer to reduction operators."""

from __future__ import annotations

from mpi4py import MPI

from jaxmpi_lint.runtime.collectives import native


class Operator:
    """An operator that has been used; the only object for it, and a static parameter of primitives."""

    def __init__(self, op: MPI.Op) -> None:
        self.op = op
        self.name: str = _NAMES.get(native.handle(op), "operator")
        self.number: int = native.LIBRARY.jaxmpi_add_operator(MPI._addressof(op), op.is_predefined)

    def __repr__(self) -> str:
        return self.name

    @property
    def is_sum(self) -> bool:
        """Whether the reduction is linear."""
        return bool(self.op == MPI.SUM)


_NAMES = {
    native.handle(getattr(MPI, name)): name
    for name in ("MAX", "MIN", "SUM", "PROD", "LAND", "BAND", "LOR", "BOR", "LXOR", "BXOR", "MAXLOC", "MINLOC")
}
_operators: dict[int, Operator] = {}


def known(op: MPI.Op) -> Operator:
    """The object for this operator; ValueError if it was freed."""
    if not op:
        raise ValueError("the reduction operator is MPI.OP_NULL: it was freed")
    handle = native.handle(op)
    found = _operators.get(handle)
    if found is None or not found.op:  # MPI may reuse the handle of a freed operator
        found = _operators[handle] = Operator(op)
    return found


SUM = known(MPI.SUM)
