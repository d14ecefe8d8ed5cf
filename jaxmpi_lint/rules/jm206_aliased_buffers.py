"""JM206."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.arrays.buffer_aliasing import Overlap, overlap
from jaxmpi_lint.analysis.arrays.buffer_specs import Specification, specification
from jaxmpi_lint.analysis.cfg.call_steps import operation_steps
from jaxmpi_lint.analysis.cfg.expected_failures import is_expected_to_fail
from jaxmpi_lint.analysis.conditions.guards import Guard, guards
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.lattice.lattice import Literal, Named, Value
from jaxmpi_lint.analysis.model.communicator_facades import is_mpi4py_call
from jaxmpi_lint.findings.diagnostics import Applicability, Confidence, Severity
from jaxmpi_lint.library.model import Kind, Operation
from jaxmpi_lint.rewrite.source_edits import without_argument
from jaxmpi_lint.rules.base import Example, Finding, OperationRule, Repair, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_ROOTED = frozenset({"Reduce", "Gather", "Gatherv", "Scatter", "Scatterv"})
_IN_PLACE = frozenset({"Allreduce", "Scan", "Exscan", "Alltoall"})


class AliasedBuffers(OperationRule):
    """Same memory as send and receive buffer.

    ## What it does
    Reports `comm.Allreduce(x, x)` and every other upper-case call of mpi4py whose send and receive buffer are the same
    array, or visibly overlapping parts of one: collectives, `Sendrecv`, and their non-blocking and persistent forms.

    ## Why is this bad?
    MPI forbids it. The library may write the result while it still reads the input: some refuse the call, others
    overwrite input that they still need, and the numbers are wrong.

    ## Example
    ```python
    comm.Allreduce(x, x, op=MPI.SUM)
    ```

    ## Use instead
    ```python
    comm.Allreduce(MPI.IN_PLACE, x, op=MPI.SUM)
    ```

    ## Fix safety
    Safe: `MPI.IN_PLACE` says what the call means, and `Sendrecv_replace` is `Sendrecv` with one buffer. Rooted
    operations are repaired only where the call is the root's alone, because the other ranks may not pass
    `MPI.IN_PLACE`; parts of one array are not repaired.

    ## How sure
    High for one object, medium for overlapping slices. Silent on the ranks for which a buffer has no meaning (the
    receive buffer of `Reduce` and `Gather` off the root), for buffers with displacements, for `None`, and where the
    test around the call names ranks that are not known.

    ## Known misses
    Two views of one array under different names; slices with computed bounds.

    ## References
    MPI 4.1, section 2.3 (aliasing of arguments), section 6.2 (the in-place option of collectives) and section 3.10
    (send-receive: disjoint buffers). Runtime check: JS107.
    """

    code = "JM206"
    name = "aliased-buffers"
    severity = Severity.ERROR
    sanitizer = ("JS107",)
    fix = Applicability.SAFE

    VALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        x = np.ones(4)
        total = np.empty_like(x)
        comm.Allreduce(x, total)
        comm.Allreduce(MPI.IN_PLACE, x)
        comm.Bcast(x)
        comm.Sendrecv_replace(x, dest=0, source=0)
        """,
        """
        from mpi4py import MPI

        def halo(comm, field, left, right):
            comm.Sendrecv(field[1:2], dest=left, recvbuf=field[-1:], source=right)
            comm.Sendrecv(field[4:6], dest=right, recvbuf=field[0:2], source=left)
        """,
    )
    INVALID = (
        Example(
            """
            import numpy as np
            from mpi4py import MPI

            x = np.ones(4)
            MPI.COMM_WORLD.Allreduce(x, x, op=MPI.SUM)  #! JM206
            """,
            """
            import numpy as np
            from mpi4py import MPI

            x = np.ones(4)
            MPI.COMM_WORLD.Allreduce(MPI.IN_PLACE, x, op=MPI.SUM)
            """,
        ),
        Example(
            """
            from mpi4py import MPI as mpi

            class Field:
                def __init__(self, comm, values):
                    self.comm, self.values = comm, values

                def sum(self):
                    self.comm.Allreduce([self.values, mpi.DOUBLE], [self.values, mpi.DOUBLE])  #! JM206
                    self.comm.Iallreduce(sendbuf=self.values, recvbuf=self.values).Wait()  #! JM206
            """,
            """
            from mpi4py import MPI as mpi

            class Field:
                def __init__(self, comm, values):
                    self.comm, self.values = comm, values

                def sum(self):
                    self.comm.Allreduce(mpi.IN_PLACE, [self.values, mpi.DOUBLE])
                    self.comm.Iallreduce(sendbuf=mpi.IN_PLACE, recvbuf=self.values).Wait()
            """,
        ),
    )

    def check_function(self, function: Function) -> Iterator[Finding]:
        """One finding for each call whose buffers overlap."""
        seen: set[ir.Span] = set()
        for block, bound, env in operation_steps(function, _buffers):
            pair = _buffers(bound)
            if pair is None or bound.call.span in seen or not is_mpi4py_call(function.project, bound):
                continue
            found = overlap(function, pair[0].buffer, pair[1].buffer)
            if found is None or _is_nothing(function.value(pair[1].buffer, env)):
                continue
            seen.add(bound.call.span)
            at_root = _is_of_root(function, block.index, bound)
            if at_root is not False and not is_expected_to_fail(function.ir, bound.call.span):
                yield self._finding(function, bound, pair, found, bool(at_root))

    def _finding(
        self,
        function: Function,
        bound: BoundCall,
        pair: tuple[Specification, Specification],
        found: Overlap,
        at_root: bool,
    ) -> Finding:
        module, operation = function.module, bound.operation
        assert operation is not None
        send, receive = pair
        text = module.source(receive.buffer.span)
        return self.finding(
            module,
            bound.call.span,
            f"`{operation.method}` sends from and receives into {found.value}: `{text}`",
            steps=(
                Step(module, send.buffer.span, "read by MPI while the call runs"),
                Step(module, receive.buffer.span, "written by MPI while the call runs"),
            ),
            remedy=_remedy(operation, found),
            repair=_repair(function, bound, at_root) if found is Overlap.SAME else None,
            confidence=Confidence.HIGH if found is Overlap.SAME else Confidence.MEDIUM,
        )


_NONE = Literal(None, "NoneType")


def _is_nothing(value: Value) -> bool:
    """Whether a buffer is None, or a specification of None: a message without content."""
    first = value.elements[0] if value.elements else value
    return first.entity == _NONE


def _buffers(bound: BoundCall) -> tuple[Specification, Specification] | None:
    """The send and the receive buffer, where they are two arguments that begin at their object's start."""
    operation = bound.operation
    if operation is None or not operation.buffer or len(operation.sends) != 1 or len(operation.receives) != 1:
        return None
    if operation.sends == operation.receives or operation.method.endswith("w") or operation.kind is Kind.ONE_SIDED:
        return None
    send = specification(bound.argument(operation.sends[0]))
    receive = specification(bound.argument(operation.receives[0]))
    if send is None or receive is None or send.displaced or receive.displaced:
        return None
    return send, receive


def _blocking_name(operation: Operation) -> str:
    """``Allreduce`` for ``Iallreduce`` and ``Allreduce_init``."""
    name = operation.method.removesuffix("_init")
    return name if operation.blocking or operation.method != name else name.removeprefix("I").capitalize()


def _is_of_root(function: Function, block: int, bound: BoundCall) -> bool | None:
    """Whether the call is the root's alone (True), not the root's (False), or everybody's (None)."""
    operation = bound.operation
    if operation is None or _blocking_name(operation) not in _ROOTED:
        return None
    root = bound.argument("root")
    number = 0 if root is None else root.value if isinstance(root, ir.Constant) else None
    decided = [_decided(guard, number) for guard in guards(function, block) if guard.by_role]
    if not decided:
        return None
    return all(outcome is True for outcome in decided)


def _decided(guard: Guard, root: object) -> bool | None:
    fact = guard.fact
    if fact is None or type(root) is not int:
        return None
    return fact.decide("==", root)


def _remedy(operation: Operation, found: Overlap) -> str:
    name = _blocking_name(operation)
    if name == "Sendrecv":
        return "use `Sendrecv_replace`" if found is Overlap.SAME else "receive into another array"
    if found is Overlap.PART or name.startswith("Neighbor"):
        return "receive into another array"
    if name.startswith("Scatter"):
        return "pass `MPI.IN_PLACE` as receive buffer on the root, and another array as send buffer"
    if name in _ROOTED:
        return "pass `MPI.IN_PLACE` as send buffer on the root only"
    return "pass `MPI.IN_PLACE` as send buffer"


def _repair(function: Function, bound: BoundCall, at_root: bool) -> Repair | None:
    operation = bound.operation
    assert operation is not None
    name = _blocking_name(operation)
    if name == "Sendrecv":
        return _replace_repair(function.module, bound)
    send = bound.argument(operation.sends[0])
    library = _library_name(function)
    if send is None or library is None or not (name in _IN_PLACE or (name == "Reduce" and at_root)):
        return None
    return Repair(Applicability.SAFE, "reduce in place", ((send.span, f"{library}.IN_PLACE"),))


def _replace_repair(module: ir.Module, bound: BoundCall) -> Repair | None:
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
