"""JM201: discarded return value of a pickle-based call."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.mpi4py.lost_results import LostResult, assignment, lost_results
from jaxmpi_lint.checks.mpi4py.rebound_parameters import rebound_parameters
from jaxmpi_lint.checks.mpi4py.unread_results import UnreadResult, unread_results
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import CheckRule, Example, Variant

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.findings.model import Repair


def _found(function: Function) -> Iterator[LostResult | UnreadResult]:
    yield from lost_results(function)
    yield from unread_results(function)
    yield from rebound_parameters(function)


def _assignment(found: LostResult | UnreadResult) -> Repair | None:
    return assignment(found) if isinstance(found, LostResult) else None


class LowercaseResultDiscarded(CheckRule):
    """Discarded return value of a pickle-based call.

    ## What it does
    Reports `comm.bcast(x)`, `comm.allreduce(x)`, `comm.scatter(x)`, `comm.sendrecv(x, ...)` and the other lower-case
    mpi4py methods that return a value, if the return value is discarded and `x` is read afterwards. Also reports a
    function of the project that returns such a result, a new array that `Allreduce` has filled, or a container of the
    results for each element of its argument, which it leaves as it is; and `comm.recv(...)` if the other branch of a
    test sends a variable that this branch reads afterwards. Also `x = comm.bcast(x)`, where `x` is a parameter whose
    object the root has changed, and nothing reads `x` afterwards: callers keep the old object. Also a broadcast of a
    field of the object that other methods of the class read.

    With severity warning, it reports a sum over all ranks in a new array that is never read, while the program uses the
    local one; a sum in a name that is never read, while the field of that name stays constant; and a result that
    replaces a value which was never read; and a discarded `gather` or `allgather` of a field beside others of the same
    function whose results are used. With severity info, it reports an
    `allreduce` whose result is never used, so that it only synchronises the ranks.

    ## Why is this bad?
    The lower-case methods pickle their argument and return a new object; they never change the argument. After
    `comm.bcast(x)`, every rank but the root continues with its old `x`. No error is raised: the results are wrong, or
    `None` turns up much later.

    ## Example
    ```python
    settings = read() if rank == 0 else None
    comm.bcast(settings, root=0)
    run(settings)
    ```

    ## Use instead
    ```python
    settings = read() if rank == 0 else None
    settings = comm.bcast(settings, root=0)
    run(settings)
    ```

    ## Fix safety
    Unsafe: the fix assigns the result to the argument, which changes what the program computes.

    ## Confidence
    High if the argument provably differs between ranks, medium if nothing is known about it, and for parameters, since
    callers may not read the object again. Not reported if the argument is uniform; if a test on the rank or on a role
    decides which ranks make the call (the root may discard what it has sent itself); if the other branch, or a function
    for the other ranks (for a field, of any file), keeps the result; if the value is only a signal, because it is a
    rank, a host name or what the receiver has as well, or because the receiver has given the name a separate value; and
    for classes of the project with a method of this name, which may work in place.

    ## Known false negatives
    Other uses of `comm.recv()` as a statement, which many programs use as a signal; arguments that are never read
    again.

    ## References
    mpi4py, tutorial: communication of generic Python objects returns the received object. MPI 4.1, section 6.4
    (broadcast).
    """

    code = "JM201"
    name = "lowercase-result-discarded"
    severity = Severity.ERROR
    fix = Applicability.UNSAFE
    detect = in_functions(_found)
    repair = _assignment
    message = "result of `{d.method}` is discarded: {d.who} with the old `{d.text}`"
    remedy = "assign it: `{d.text} = {d.called}(...)`"
    variants: ClassVar = {
        "pointless": Variant(
            "result of `{d.method}` is discarded: the call only synchronises the ranks",
            "use `Barrier` if synchronisation is intended, otherwise remove the call or use its result",
            Severity.INFO,
        ),
        "dropped": Variant(
            "result of `{d.method}` is discarded: what the ranks send from `{d.text}` is lost",
            "assign the result, or remove the call",
        ),
        "unread": Variant(
            "result of `{d.method}` in `{d.name}` is never read: the program uses `{d.text}` instead",
            "use `{d.name}`",
            Severity.WARNING,
        ),
        "replaced": Variant(
            "`{d.name}` is replaced by the result of `{d.method}` on `{d.text}`, and its own value is never used",
            "pass `{d.name}` to `{d.method}`",
            Severity.WARNING,
        ),
        "rebound": Variant(
            "`{d.text}` is a parameter: this `{d.method}` replaces the name only, and callers keep the old object",
            "return the result, or copy it into the object: `{d.text}[:] = ...`",
        ),
    }

    VALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD

        def share(value):
            if comm.rank == 0:
                comm.bcast(value, root=0)
            else:
                value = comm.bcast(None, root=0)
            return value
        """,
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        comm.barrier()
        if comm.rank == 1:
            comm.send(comm.rank, dest=0)
        elif comm.rank == 0 and comm.size > 1:
            print(comm.recv(source=1))
        steps = 3
        comm.bcast(steps)
        print(steps)
        """,
    )
    INVALID = (
        Example(
            """
            from mpi4py import MPI

            comm = MPI.COMM_WORLD
            settings = {"steps": 3} if comm.rank == 0 else None
            comm.bcast(settings, root=0)  #! JM201
            print(settings["steps"])
            """,
            """
            from mpi4py import MPI

            comm = MPI.COMM_WORLD
            settings = {"steps": 3} if comm.rank == 0 else None
            settings = comm.bcast(settings, root=0)
            print(settings["steps"])
            """,
        ),
        """
        class Solver:
            def __init__(self, comm):
                self.comm = comm
                self.rank = comm.Get_rank()

            def start(self):
                if self.rank == 0:
                    self.state = self.read()
                self.comm.bcast(self.state)  #! JM201
                return self.state.copy()
        """,
    )
