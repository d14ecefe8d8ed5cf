"""JM518: exchanges whose tags match, but mismatch in the derivative."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_project
from jaxmpi_lint.checks.mpi4jax.edge_tags import derived_mismatches
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class EdgeTagsUnderGrad(CheckRule):
    """Mismatched message tags in the derivative of an exchange.

    ## What it does
    Reports `mpi4jax.sendrecv` that is differentiated in reverse mode, if its tags depend on the ranks such that every
    forward message matches a receive, but the messages that the derivative sends back do not.

    ## Why is this bad?
    The derivative of an exchange sends to the source and receives from the destination, but does not swap `sendtag` and
    `recvtag`. If each edge of a ring has a separate tag, each rank then waits for a tag that no rank sends: the forward
    pass is correct, and the gradient hangs. The hang does not occur with two ranks, only with three or more.

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

    ## Confidence
    High: source, destination and tags are evaluated on every rank of jobs with two to five ranks. The exchange is
    reported only if all forward messages match and a backward message does not. Silent where one of these values is
    unknown, without `recvtag`, and where no derivative is found.

    ## Known false negatives
    Exchanges in loops that carry several values; ranks that are arguments; process topologies.

    ## References
    mpi4jax 0.9, transpose rule of `sendrecv`: source and destination are swapped, the tags are not. MPI 4.1, section
    3.2.4: a message is received if source, tag and communicator match.
    """

    code = "JM518"
    name = "edge-tags-under-grad"
    severity = Severity.ERROR
    detect = in_project(derived_mismatches)
    message = (
        "the derivative swaps source and destination but not the tags: of {d.tags.size} ranks, rank {d.tags.sender} "
        "sends tag {d.tags.sent} to rank {d.tags.receiver}, which waits for tag {d.tags.expected}"
    )
    remedy = "use one value for both tags on all ranks, or omit `recvtag`"

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
    )
