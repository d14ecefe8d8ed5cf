"""Calls whose send and receive buffers are aliased."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.arrays.buffer_aliasing import Overlap, overlap
from jaxmpi_lint.analysis.arrays.buffer_specs import datatype_of, specification
from jaxmpi_lint.analysis.cfg.call_steps import operation_steps
from jaxmpi_lint.analysis.cfg.expected_failures import is_expected_to_fail
from jaxmpi_lint.analysis.conditions.rooted_calls import ROOTED, blocking_name, is_of_root
from jaxmpi_lint.analysis.lattice.lattice import Literal, Named, Value
from jaxmpi_lint.analysis.model.communicator_facades import is_mpi4py_call
from jaxmpi_lint.findings.diagnostics import Applicability, Confidence
from jaxmpi_lint.findings.model import Place, Repair, Step
from jaxmpi_lint.library.model import Kind, Operation
from jaxmpi_lint.rewrite.source_edits import without_argument

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_IN_PLACE = frozenset({"Allreduce", "Scan", "Exscan", "Alltoall"})
_NONE = Literal(None, "NoneType")


@dataclass(frozen=True, slots=True)
class AliasedArguments:
    """A call whose buffers overlap; ``at_root`` states whether only the root makes it."""

    function: Function
    bound: BoundCall
    operation: Operation
    send: ir.Expression
    receive: ir.Expression
    overlap: Overlap
    at_root: bool

    @property
    def place(self) -> Place:
        """The call."""
        return Place(self.function.module, self.bound.call.span)

    @property
    def confidence(self) -> Confidence:
        """High where both are the same object."""
        return Confidence.HIGH if self.overlap is Overlap.SAME else Confidence.MEDIUM

    @property
    def text(self) -> str:
        """The receive buffer, as it is written."""
        return self.function.module.source(self.receive.span)

    @property
    def name(self) -> str:
        """The blocking method: ``Allreduce`` for ``Iallreduce`` and ``Allreduce_init``."""
        return blocking_name(self.operation)

    @property
    def advice(self) -> str:
        """The remedy: which buffer to replace, and by what."""
        if self.name == "Sendrecv":
            return "use `Sendrecv_replace`" if self.overlap is Overlap.SAME else "receive into a separate array"
        if self.overlap is Overlap.PART or self.name.startswith("Neighbor"):
            return "receive into a separate array"
        if self.name.startswith("Scatter"):
            return "pass `MPI.IN_PLACE` as receive buffer on the root, and a separate array as send buffer"
        if self.name in ROOTED:
            return "pass `MPI.IN_PLACE` as send buffer on the root only"
        return "pass `MPI.IN_PLACE` as send buffer"

    def steps(self) -> Iterator[Step]:
        """The two buffers."""
        yield Step(self.function.module, self.send.span, "read by MPI while the call runs")
        yield Step(self.function.module, self.receive.span, "written by MPI while the call runs")


def aliased_arguments(function: Function) -> Iterator[AliasedArguments]:
    """Each call of a function whose buffers overlap."""
    seen: set[ir.Span] = set()
    for block, bound, env in operation_steps(function, _buffers):
        pair = _buffers(bound)
        if pair is None or bound.call.span in seen or not is_mpi4py_call(function.project, bound):
            continue
        found = overlap(function, *pair)
        if found is not None and _selects(function, bound, env, found):
            continue
        if found is None or _is_nothing(function.value(pair[1], env)):
            continue
        seen.add(bound.call.span)
        at_root = is_of_root(function, block.index, bound)
        if at_root is not False and not is_expected_to_fail(function.ir, bound.call.span):
            yield AliasedArguments(function, bound, bound.known_operation, *pair, found, bool(at_root))


def _selects(function: Function, bound: BoundCall, env: Environment, found: Overlap) -> bool:
    """Whether a datatype that the program has made may select other elements of both buffers.

    Of one array, two datatypes may select two borders; one datatype selects the same elements for both.
    """
    given = (bound.argument(name) for name in (*bound.known_operation.sends, *bound.known_operation.receives))
    parts = [part for part in map(specification, given) if part is not None and part.datatype is not None]
    texts = {function.module.source(part.datatype.span) for part in parts if part.datatype is not None}
    is_possible = found is Overlap.PART or len(texts) > 1
    return is_possible and any(datatype_of(function, part, env) is None for part in parts)


def _is_nothing(value: Value) -> bool:
    """Whether a buffer is None, or a specification of None: a message without content."""
    first = value.elements[0] if value.elements else value
    return first.entity == _NONE


def _buffers(bound: BoundCall) -> tuple[ir.Expression, ir.Expression] | None:
    """The send and the receive buffer, where they are two arguments without displacements."""
    operation = bound.operation
    if operation is None or not operation.buffer or len(operation.sends) != 1 or len(operation.receives) != 1:
        return None
    if operation.sends == operation.receives or operation.method.endswith("w") or operation.kind is Kind.ONE_SIDED:
        return None
    send = specification(bound.argument(operation.sends[0]))
    receive = specification(bound.argument(operation.receives[0]))
    if send is None or receive is None or send.displaced or receive.displaced:
        return None
    return send.buffer, receive.buffer


def one_buffer(found: AliasedArguments) -> Repair | None:
    """The fix: ``MPI.IN_PLACE`` as buffer, or the method that takes one buffer."""
    if found.overlap is not Overlap.SAME:
        return None
    if found.name == "Sendrecv":
        return _replace(found.function.module, found.bound)
    send = found.bound.argument(found.operation.sends[0])
    library = _library_name(found.function)
    if send is None or library is None or not (found.name in _IN_PLACE or (found.name == "Reduce" and found.at_root)):
        return None
    return Repair(Applicability.SAFE, "reduce in place", ((send.span, f"{library}.IN_PLACE"),))


def _replace(module: ir.Module, bound: BoundCall) -> Repair | None:
    """``Sendrecv`` with one buffer is ``Sendrecv_replace``; the other parameters keep their order."""
    call = bound.call
    if not isinstance(call.func, ir.Attribute) or not call.args or call.args[0].keyword is not None or call.has_star:
        return None
    receive = bound.argument("recvbuf")
    argument = next(candidate for candidate in call.args if candidate.value is receive)
    method = (call.func.span[1] - len(call.func.attr), call.func.span[1])
    edits = ((method, f"{call.func.attr}_replace"), *without_argument(module, call, argument))
    return Repair(Applicability.SAFE, "use one buffer", edits)


def _library_name(function: Function) -> str | None:
    """The name under which ``mpi4py.MPI`` is known at the top of the module."""
    for name, value in function.module_model.body.flow.exit.items():
        if value.entity == Named("mpi4py.MPI"):
            return name
    return None
