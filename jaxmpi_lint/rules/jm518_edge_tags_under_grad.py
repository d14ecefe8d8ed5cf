"""JM518: exchanges whose tags match, but not those of their derivative."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.jax.differentiation import Differentiated, differentiated
from jaxmpi_lint.checks.mpi4jax.edge_tags import TagMismatch, backward_mismatch
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Finding, Rule, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.model.project import Project


class EdgeTagsUnderGrad(Rule):
    """Tags of an exchange that do not match in its derivative.

    ## What it does
    Reports `mpi4jax.sendrecv` that is differentiated in reverse and whose tags depend on the ranks in such a way that
    every message finds its receiver, but none of those that the derivative sends back.

    ## Why is this bad?
    The derivative of an exchange sends to the source and receives from the destination, but keeps `sendtag` and
    `recvtag` as they are. With a tag of its own for each edge of a ring, each rank then waits for a tag that nobody
    sends: the values are right, and the gradient hangs. Two ranks do not show it, three do.

    ## Example
    ```python
    def shifted(x):
        return mpi4jax.sendrecv(x, x, source=left, dest=right, sendtag=rank, recvtag=left, comm=comm)


    gradient = jax.grad(lambda x: (shifted(x) ** 2).sum())
    ```

    ## Use instead
    ```python
    def shifted(x):
        return mpi4jax.sendrecv(x, x, source=left, dest=right, sendtag=1, recvtag=1, comm=comm)
    ```

    ## How sure
    High: source, destination and tags are calculated for each rank of two to five, and reported only if all messages
    forward match and one backward does not. Silent where one of the numbers is not known, without `recvtag`, and where
    no derivative is seen.

    ## Known misses
    Exchanges in loops that carry several values; ranks that are arguments; topologies.

    ## References
    mpi4jax 0.9, transposition of `sendrecv`: source and destination are swapped, the tags are not. MPI 4.1, section
    3.2.4: a message is received if source, tag and communicator match.
    """

    code = "JM518"
    name = "edge-tags-under-grad"
    severity = Severity.ERROR

    VALID = (
        """
        import jax
        import mpi4jax
        from mpi4py import MPI

        comm = MPI.COMM_WORLD.Clone()
        rank, size = comm.Get_rank(), comm.Get_size()
        left, right = (rank - 1) % size, (rank + 1) % size

        def shifted(x):
            return mpi4jax.sendrecv(x, x, left, right, sendtag=3, recvtag=3, comm=comm)

        gradient = jax.grad(lambda x: (shifted(x) ** 2).sum())
        """,
        """
        import jax
        import mpi4jax
        from mpi4py import MPI

        comm = MPI.COMM_WORLD.Clone()
        rank, size = comm.Get_rank(), comm.Get_size()
        left, right = (rank - 1) % size, (rank + 1) % size

        def shifted(x):
            return mpi4jax.sendrecv(x, x, left, right, sendtag=rank, recvtag=left, comm=comm)

        def evaluate(x):
            return shifted(x)
        """,
        """
        import jax
        import mpi4jax
        from mpi4py import MPI

        comm = MPI.COMM_WORLD.Clone()
        rank, size = comm.Get_rank(), comm.Get_size()
        left, right = (rank - 1) % size, (rank + 1) % size

        def shifted(x):
            return mpi4jax.sendrecv(x, x, left, right, sendtag=rank, comm=comm)

        gradient = jax.grad(lambda x: shifted(x).sum())
        """,
        """
        import jax
        import mpi4jax
        from mpi4py import MPI

        comm = MPI.COMM_WORLD.Clone()
        rank = comm.Get_rank()
        partner = rank + 1 if rank % 2 == 0 else rank - 1

        def swapped(x):
            return mpi4jax.sendrecv(x, x, partner, partner, sendtag=rank, recvtag=partner, comm=comm)

        gradient = jax.grad(lambda x: (x * swapped(x)).sum())
        """,
        """
        import jax
        import mpi4jax
        from mpi4py import MPI

        comm = MPI.COMM_WORLD.Clone()
        rank, size = comm.Get_rank(), comm.Get_size()

        def shifted(x, left, right, tag):
            return mpi4jax.sendrecv(x, x, left, right, sendtag=tag(rank), recvtag=tag(left), comm=comm)

        gradient = jax.grad(lambda x: shifted(x, 0, 0, int).sum())
        """,
        """
        import jax
        import mpi4jax
        from mpi4py import MPI

        comm = MPI.COMM_WORLD.Clone()
        rank, size = comm.Get_rank(), comm.Get_size()
        left = rank - 1 if rank > 0 else MPI.PROC_NULL
        right = rank + 1 if rank < size - 1 else MPI.PROC_NULL

        def halo(x):
            from_left = mpi4jax.sendrecv(x, x, left, right, sendtag=1, recvtag=1, comm=comm)
            from_right = mpi4jax.sendrecv(x, x, right, left, sendtag=2, recvtag=2, comm=comm)
            return from_left + from_right

        value, gradient = jax.value_and_grad(lambda x: halo(x).sum())(1.0)
        """,
    )
    INVALID = (
        """
        import jax
        import mpi4jax
        from mpi4py import MPI

        comm = MPI.COMM_WORLD.Clone()
        rank, size = comm.Get_rank(), comm.Get_size()
        left, right = (rank - 1) % size, (rank + 1) % size

        def shifted(x):
            return mpi4jax.sendrecv(  #! JM518
                x, x, source=left, dest=right, sendtag=rank, recvtag=left, comm=comm
            )

        gradient = jax.grad(lambda x: (shifted(x) ** 2).sum())
        """,
        """
        import jax
        from mpi4jax import sendrecv
        from mpi4py import MPI

        world = MPI.COMM_WORLD
        me = world.rank
        after = (me + 1) % world.size
        before = (me - 1 + world.size) % world.size

        @jax.value_and_grad
        def energy(field):
            ghost = sendrecv(field, field, before, after, sendtag=100 + after, recvtag=100 + me)  #! JM518
            return ((field - ghost) ** 2).sum()
        """,
        """
        import jax
        import mpi4jax
        from mpi4py import MPI

        comm = MPI.COMM_WORLD.Clone()
        rank, size = comm.Get_rank(), comm.Get_size()
        left = rank - 1 if rank > 0 else MPI.PROC_NULL
        right = rank + 1 if rank < size - 1 else MPI.PROC_NULL

        def ghosts(x):
            return mpi4jax.sendrecv(x, x, left, right, sendtag=rank + 1, recvtag=rank, comm=comm)  #! JM518

        def loss(x):
            return (x * ghosts(x)).sum()

        def step(x):
            _, pull = jax.vjp(loss, x)
            return x - pull(1.0)[0]
        """,
        """
        import jax
        import mpi4jax as mj
        from mpi4py import MPI

        class Ring:
            def __init__(self):
                self.comm = MPI.COMM_WORLD.Clone()
                self.rank = self.comm.Get_rank()
                self.size = self.comm.Get_size()

            def turned(self, x):
                left = (self.rank - 1) % self.size
                right = (self.rank + 1) % self.size
                return mj.sendrecv(x, x, left, right, sendtag=self.rank, recvtag=left, comm=self.comm)  #! JM518

            def loss(self, x):
                return self.turned(x).sum()

            def gradient(self, x):
                return jax.jit(jax.grad(self.loss))(x)
        """,
        """
        import jax
        import mpi4jax
        from mpi4py import MPI

        comm = MPI.COMM_WORLD.Clone()
        rank, size = comm.Get_rank(), comm.Get_size()

        def rows(x):
            y = 2 * x
            return mpi4jax.sendrecv(  #! JM518
                y, y, (rank - 2) % size, (rank + 2) % size, sendtag=rank, recvtag=(rank - 2) % size, comm=comm
            )

        jacobian = jax.jacrev(rows)
        """,
        """
        import jax
        import mpi4jax
        from mpi4py import MPI

        comm = MPI.COMM_WORLD.Clone()

        def shift(x, offset):
            rank, size = comm.rank, comm.size
            source, dest = (rank - 1) % size, (rank + 1) % size
            tag = rank * size + dest
            return mpi4jax.sendrecv(x, x, source, dest, sendtag=tag, recvtag=source * size + rank, comm=comm)  #! JM518

        def loss(x):
            return jax.lax.fori_loop(0, 3, lambda i, v: shift(v, 1) * x, x).sum()

        gradient = jax.jit(jax.grad(loss))
        """,
    )

    def check(self, project: Project) -> Iterator[Finding]:
        """One finding for each exchange, however often it is differentiated."""
        reported: set[tuple[str, ir.Span]] = set()
        for found in differentiated(project):
            mismatch = _mismatch(found) if found.place not in reported else None
            if mismatch is not None:
                reported.add(found.place)
                yield self._report(found, mismatch)

    def _report(self, found: Differentiated, mismatch: TagMismatch) -> Finding:
        sent = f"rank {mismatch.sender} sends to rank {mismatch.receiver} with tag {mismatch.sent}"
        return self.finding(
            found.values.function.module,
            found.bound.call.span,
            f"the derivative sends back with the tags as they are: of {mismatch.size} ranks, {sent}, "
            f"which waits for tag {mismatch.expected}",
            steps=(Step(found.derivative.module, found.derivative.span, "the derivative is taken here"),),
            remedy="give both tags the same number on all ranks, or leave `recvtag` out",
        )


def _mismatch(found: Differentiated) -> TagMismatch | None:
    operation = found.bound.operation
    if operation is None or operation.method != "sendrecv" or not found.derivative.backward:
        return None
    if not found.values.carries(found.bound.argument("sendbuf")):
        return None
    return backward_mismatch(found.values.function, found.bound)
