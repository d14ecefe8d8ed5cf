"""Names that keep the None of a call that receives into a buffer, and are read afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import is_read_after, reads_anywhere
from jaxmpi_lint.analysis.model.communicator_facades import is_mpi4py_call
from jaxmpi_lint.findings.diagnostics import Applicability, Confidence
from jaxmpi_lint.findings.model import Place, Repair, Step
from jaxmpi_lint.library.model import Kind, Result

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_KINDS = frozenset({Kind.COLLECTIVE, Kind.SEND, Kind.RECEIVE})


@dataclass(frozen=True, slots=True)
class KeptNone:
    """An assignment of the result of such a call to a name."""

    function: Function
    step: ir.Assign
    bound: BoundCall
    name: str

    @property
    def place(self) -> Place:
        """The assignment."""
        return Place(self.function.module, self.step.span)

    @property
    def confidence(self) -> Confidence:
        """High: mpi4py's methods with an upper-case name return None."""
        return Confidence.HIGH

    @property
    def method(self) -> str:
        """The method that is called."""
        return self.bound.known_operation.method

    def steps(self) -> Iterator[Step]:
        """Nothing further."""
        return iter(())


def kept_none(function: Function) -> Iterator[KeptNone]:
    """The assignments of a function, of names that it reads later."""
    if not function.any_call_may_communicate:
        return
    for block in function.ir.blocks:
        for step in block.steps if function.flow.entries[block.index] is not None else ():
            match step:
                case ir.Assign(targets=(target,), value=ir.Call() as call):
                    bound, name = function.bound(call), ir.dotted(target)
                    if bound is None or name is None or not _returns_none(function, bound):
                        continue
                    if isinstance(target, ir.Attribute) or _is_used(function, block, step, name, bound):
                        yield KeptNone(function, step, bound, name)


def _is_used(function: Function, block: ir.Block, step: ir.Assign, name: str, bound: BoundCall) -> bool:
    """Whether a name is read afterwards; a function that only returns what the method returns is a wrapper of it."""
    if name in {ir.dotted(argument.value) for argument in bound.call.args}:
        return is_read_after(function, block, step, name, set())
    ends = (one.terminator for one in function.ir.blocks)
    returned = {end.value.span for end in ends if isinstance(end, ir.Return) and end.value is not None}
    reads = [
        node.span
        for expression in reads_anywhere(function.ir)
        for node in ir.walk(expression)
        if isinstance(node, ir.Name) and node.id == name
    ]
    return not set(reads) <= returned and is_read_after(function, block, step, name, set())


def _returns_none(function: Function, bound: BoundCall) -> bool:
    operation = bound.operation
    return (
        operation is not None
        and operation.kind in _KINDS
        and operation.buffer
        and operation.result is Result.NONE
        and operation.method[:1].isupper()
        and is_mpi4py_call(function.project, bound, function)
    )


def without_assignment(found: KeptNone) -> Repair | None:
    """The fix: make the call a statement, so that the name keeps the buffer."""
    value = found.step.value
    if value is None or found.name not in {ir.dotted(argument.value) for argument in found.bound.call.args}:
        return None
    edit = ((found.step.span[0], value.span[0]), "")
    return Repair(Applicability.UNSAFE, "make the call a separate statement", (edit,))
