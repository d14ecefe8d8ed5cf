"""JM318: both borders exchanged in one direction."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_communicating
from jaxmpi_lint.checks.mpi4py.one_way_exchanges import one_way_exchanges
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class OneWayExchange(CheckRule):
    """Both borders exchanged in one direction.

    ## What it does
    Reports two calls of `Sendrecv`, `sendrecv` or `mpi4jax.sendrecv`, one after the other, that send the two ends of an
    array to the same destination, and receive both from the same source.

    ## Why is this bad?
    The ends of a part of a domain belong to two neighbours. If the second call has the peers of the first one, both
    messages go in one direction: each rank fills both borders with data of one neighbour, and nothing of the other one.
    All messages arrive, so the program ends without an error, and its numbers are wrong. This happens when the first
    call is copied.

    ## Example
    ```python
    comm.Sendrecv(u[1], dest=left, recvbuf=u[-1], source=right)
    comm.Sendrecv(u[-2], dest=left, recvbuf=u[0], source=right)
    ```

    ## Use instead
    ```python
    comm.Sendrecv(u[1], dest=left, recvbuf=u[-1], source=right)
    comm.Sendrecv(u[-2], dest=right, recvbuf=u[0], source=left)
    ```

    ## Confidence
    Medium: on a ring of exactly two ranks the neighbours are equal. Silent if the parts that are sent or received are
    not the two ends of one array along one axis, if a call receives at the end that it sends, and if a name of a peer
    is assigned between the calls.

    ## Known false negatives
    Views of the array that are assigned to names; separate sends and receives, which then do not match (JM311).

    ## References
    MPI 4.1, section 3.10 (send-receive). Two-dimensional halos: mpi4jax, example of the shallow-water model.
    """

    code = "JM318"
    name = "one-way-exchange"
    severity = Severity.WARNING
    detect = in_communicating(one_way_exchanges)
    message = "this `{d.method}` sends the other end of `{d.array}` to the same rank, and receives from the same one"
    remedy = "swap the destination and the source of the second call"

    VALID = (
        """
        from mpi4py import MPI

        def halo(comm, u, left, right):
            comm.Sendrecv(u[1], dest=left, recvbuf=u[-1], source=right)
            comm.Sendrecv(u[-2], dest=right, recvbuf=u[0], source=left)
        """,
        """
        from mpi4py import MPI

        def shift(comm, u, v, n, left, right):
            comm.Sendrecv(u[0:2], dest=left, recvbuf=u[-2:], source=right)
            comm.Sendrecv(v[0:2], dest=left, recvbuf=v[-2:], source=right)
            left, right = right, left
            comm.Sendrecv(u[n - 2], dest=left, recvbuf=u[0], source=right)
            u[0] = comm.sendrecv(u[1], dest=left, source=right)
            u[1] = comm.sendrecv(u[2], dest=left, source=right)
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        def halo(comm, u, me, size):
            comm.Sendrecv([u[1, :], MPI.DOUBLE], (me - 1) % size, recvbuf=u[-1, :], source=(me + 1) % size)
            comm.Sendrecv([u[-2, :], MPI.DOUBLE], (me - 1) % size, recvbuf=u[0, :], source=(me + 1) % size)  #! JM318
        """,
        """
        import mpi4jax

        def borders(u, left, right, comm):
            first = mpi4jax.sendrecv(u[-1:], u[:1], source=left, dest=right, comm=comm)
            last = mpi4jax.sendrecv(u[:1], u[-1:], source=left, dest=right, comm=comm)  #! JM318
            return first, last
        """,
        """
        from mpi4py import MPI

        def halo(comm, u, n, up, down):
            u[0] = comm.sendrecv(u[n], dest=down, source=up)
            u[n + 1] = comm.sendrecv(u[1], dest=down, source=up)  #! JM318
        """,
    )
