"""JM301: lost requests of non-blocking operations."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.mpi4py.lost_requests import dropped_requests, immediate_wait
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import CheckRule, Example, Variant


class LostRequest(CheckRule):
    """Lost request of a non-blocking operation.

    ## What it does
    Reports `Isend`, `isend`, `Irecv`, `irecv`, `Ibcast`, `Iallreduce`, `Ibarrier`, `Iread`, `Send_init` and all other
    mpi4py calls that return a request, if the request is discarded or assigned to a name that is never read. For an
    empty message, used as a signal, the severity is warning.

    ## Why is this bad?
    A non-blocking call only starts the operation. Without its request the operation cannot be completed: received data
    may never arrive, a message may be sent from memory that has been reused, or may never be sent. The lower-case
    methods are worse: the request keeps the pickled message alive, so discarding the request frees memory that MPI is
    still reading.

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
    Unsafe: the fix waits immediately. That is correct for a single transfer, but an exchange then depends on the order
    in which the ranks communicate. It is better to keep the requests and wait for all of them after the exchange. There
    is no fix for receives of pickled objects, whose `wait` returns the object, or for persistent requests.

    ## Confidence
    High: the request is provably lost. Silent when it is stored in a list, an attribute, a dictionary or a global name,
    returned, yielded, passed on, or read by a nested function; and for classes of the project that define a method of
    this name.

    ## Known false negatives
    Requests that are kept in a list but never completed. One-sided operations are not checked: the end of the epoch
    completes their requests.

    ## References
    MPI 4.1, section 3.7.2 (a send buffer must not be modified until the send completes) and section 3.7.3
    (communication completion). mpi4py: `Request` keeps a reference to the buffer of a pickled message. Runtime check:
    JS303.
    """

    code = "JM301"
    name = "lost-request"
    severity = Severity.ERROR
    sanitizer = ("JS201", "JS303")
    fix = Applicability.UNSAFE
    detect = in_functions(dropped_requests)
    repair = immediate_wait
    message = "request of `{d.operation.method}` {d.how}: {d.consequence}"
    remedy = "keep the request and wait for it after the exchange"
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
