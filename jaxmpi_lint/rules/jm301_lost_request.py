"""JM301."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.checks.base import in_communicating
from jaxmpi_lint.checks.mpi4py.lost_requests import dropped_requests, immediate_wait
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import CheckRule, Example, Variant


class LostRequest(CheckRule):
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

    ## Confidence
    High: the request is visibly lost. Silent when it is stored in a list, a field, a dictionary or a global name,
    returned, yielded, passed on, or read by a nested function; and for classes of the project with a method of this
    name.

    ## Known false negatives
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
    detect = in_communicating(dropped_requests)
    repair = immediate_wait
    message = "request of `{d.operation.method}` {d.how}: {d.consequence}"
    remedy = "keep the request and wait for it behind the exchange"
    variants: ClassVar = {"signal": Variant(severity=Severity.WARNING)}

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
