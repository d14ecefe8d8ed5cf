"""JM301."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.checks.mpi4py.lost_requests import DroppedRequest, dropped_requests
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.library.model import Kind
from jaxmpi_lint.rules.base import Example, Finding, OperationRule, Repair, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


class LostRequest(OperationRule):
    """Request of a non-blocking operation is dropped and can never be completed.

    ## What it does
    Reports `Isend`, `isend`, `Irecv`, `irecv`, `Ibcast`, `Iallreduce`, `Ibarrier`, `Iread`, `Send_init` and all other
    calls of mpi4py that return a request, when the request is thrown away at once or bound to a name that nothing
    reads. An empty message, used as a signal, is a warning.

    ## Why is this bad?
    A non-blocking call only begins the operation. Without its request nobody can wait for the end: received data may
    never be there, a message may be sent from memory that has been used again, and the message may never leave. With
    the lower-case methods it is worse: the request keeps the pickled message alive, so dropping it frees the memory
    that MPI is still reading.

    ## Example
    ```python
    comm.Isend(halo, dest=left)
    comm.Recv(edge, source=right)
    ```

    ## Use instead
    ```python
    request = comm.Isend(halo, dest=left)
    comm.Recv(edge, source=right)
    request.Wait()
    ```

    ## Fix safety
    Unsafe: the fix waits at once, which is right for one transfer but makes an exchange depend on the order of the
    ranks. Better keep the requests and wait for all of them behind the exchange. There is no fix for receives of
    pickled objects, whose `wait` returns the object, nor for persistent requests.

    ## How sure
    High: the request is visibly lost. Silent when it is stored in a list, a field, a dictionary or a global name,
    returned, yielded, passed on, or read by a nested function; and for classes of the project with a method of this
    name.

    ## Known misses
    Requests that are kept in a list but never completed; requests of one-sided operations, which the end of the epoch
    completes.

    ## References
    MPI 4.1, section 3.7.2 (a send buffer is not to be modified until the send is complete) and section 3.7.3
    (communication completion). mpi4py: `Request` holds the buffer of a pickled message. Runtime check: JS303.
    """

    code = "JM301"
    name = "lost-request"
    severity = Severity.ERROR
    sanitizer = ("JS201", "JS303")
    fix = Applicability.UNSAFE

    VALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        requests = []
        for peer in range(comm.size):
            requests.append(comm.isend(peer, dest=peer))
        requests += [comm.irecv(source=peer) for peer in range(comm.size)]
        MPI.Request.waitall(requests)
        """,
        """
        from mpi4py import MPI

        def exchange(comm, buffer):
            comm.Isend(buffer, dest=0).Wait()
            value = comm.irecv(source=0).wait()
            return value
        """,
    )
    INVALID = (
        Example(
            """
            from mpi4py import MPI

            def exchange(comm, halo, edge, left, right):
                comm.Isend(halo, dest=left)  #! JM301
                comm.Recv(edge, source=right)
            """,
            """
            from mpi4py import MPI

            def exchange(comm, halo, edge, left, right):
                comm.Isend(halo, dest=left).Wait()
                comm.Recv(edge, source=right)
            """,
        ),
        """
        from mpi4py import MPI

        class Worker:
            def __init__(self, comm):
                self.comm = comm

            def report(self, result):
                self.comm.isend(result, dest=0, tag=3)  #! JM301

            def signal(self):
                self.comm.isend(None, dest=0)  #! JM301
        """,
    )

    def check_function(self, function: Function) -> Iterator[Finding]:
        """One finding for each request that is lost."""
        for lost in dropped_requests(function):
            yield self._finding(lost)

    def _finding(self, lost: DroppedRequest) -> Finding:
        module, method = lost.function.module, lost.operation.method
        how = "is dropped" if lost.name is None else f"is bound to `{lost.name}`, which nothing reads"
        return self.finding(
            module,
            lost.bound.call.span,
            f"request of `{method}` {how}: {_consequence(lost)}",
            steps=(Step(module, lost.bound.call.span, _begun(lost)),),
            remedy="keep the request and wait for it behind the exchange",
            repair=_repair(lost),
            severity=Severity.WARNING if lost.is_empty else self.severity,
        )


def _begun(lost: DroppedRequest) -> str:
    if lost.is_persistent:
        return "prepares the operation, does not start it"
    return "begins the operation, does not complete it"


def _consequence(lost: DroppedRequest) -> str:
    if lost.is_persistent:
        return "the operation can never be started"
    if lost.operation.receives and not lost.operation.sends:
        return "this rank can never know that the data has arrived"
    if lost.operation.kind is Kind.SEND:
        return "the message may never leave, or leave with other content"
    return "this rank can never know that the operation is complete"


def _repair(lost: DroppedRequest) -> Repair | None:
    method = lost.operation.method
    is_pickled_receive = method[:1].islower() and lost.operation.kind is Kind.RECEIVE
    if lost.is_persistent or is_pickled_receive or lost.name is not None:
        return None
    end = lost.bound.call.span[1]
    wait = ".Wait()" if method[:1].isupper() else ".wait()"
    return Repair(Applicability.UNSAFE, "wait for the operation at once", (((end, end), wait),))
