"""JM516: mpi4jax messages on the default communicator that only some ranks reach."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_project
from jaxmpi_lint.checks.mpi4jax.lone_default_uses import reported_lone_uses
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class DefaultCommunicatorOnSomeRanks(CheckRule):
    """First use of mpi4jax's default communicator by only some ranks.

    ## What it does
    Reports mpi4jax messages without `comm` that only some ranks of `COMM_WORLD` ever reach, or that the other ranks
    reach only after a collective of all ranks.

    ## Why is this bad?
    Without `comm`, mpi4jax uses a clone of `COMM_WORLD` that it creates in the first operation on each rank. Cloning a
    communicator is collective: two ranks that exchange a message wait in it for all other ranks, which were not meant
    to participate, and the job hangs before any message is sent.

    ## Example
    ```python
    rank = MPI.COMM_WORLD.Get_rank()
    if rank == 0:
        mpi4jax.send(x, 1)
    elif rank == 1:
        x = mpi4jax.recv(x, 0)
    else:
        print("nothing to do")
    ```

    ## Use instead
    ```python
    comm = MPI.COMM_WORLD.Clone()  # on all ranks
    rank = comm.Get_rank()
    if rank == 0:
        mpi4jax.send(x, 1, comm=comm)
    elif rank == 1:
        x = mpi4jax.recv(x, 0, comm=comm)
    else:
        print("nothing to do")
    ```

    ## Confidence
    The program is simulated for each rank of jobs with two, three and four ranks, as far as tests on rank and size
    determine its path. High where the ranks reach the message in every run, medium where it also depends on other
    tests. A program that is correct for two ranks is reported only if the file shows that it supports more: a separate
    arm for further ranks, an ordering comparison of the rank, or a launch command. Silent where all ranks have already
    reached an operation on the default communicator, or reach one later without waiting for the others; where the path
    of the program cannot be determined; and for collectives, which JM101 and related rules report.

    ## Known false negatives
    Library functions that other projects call; ranks passed as an argument; methods of unknown objects; generators.

    ## References
    mpi4jax documentation, "API": `comm` defaults to a clone of `COMM_WORLD`, created on first use. MPI 4.1, section
    7.4.2: `MPI_COMM_DUP` is collective over the group of the communicator.
    """

    code = "JM516"
    name = "default-communicator-on-some-ranks"
    severity = Severity.ERROR
    detect = in_project(reported_lone_uses)
    message = (
        "the first use of mpi4jax's default communicator clones COMM_WORLD, which is collective over all ranks: "
        "of {d.size}, only {d.only} it"
    )
    remedy = "create a communicator on all ranks, `comm = MPI.COMM_WORLD.Clone()`, and pass it as `comm=`"

    VALID = (
        """
        import jax.numpy as jnp
        import mpi4jax
        from mpi4py import MPI

        rank = MPI.COMM_WORLD.Get_rank()
        x = jnp.ones(3)
        if rank == 0:
            mpi4jax.send(x, 1)
        elif rank == 1:
            x = mpi4jax.recv(x, 0)
        """,
        """
        import jax.numpy as jnp
        import mpi4jax
        from mpi4py import MPI

        rank = MPI.COMM_WORLD.Get_rank()
        x = jnp.ones(3)
        mpi4jax.barrier()
        if rank == 0:
            mpi4jax.send(x, 1)
        elif rank == 1:
            x = mpi4jax.recv(x, 0)
        else:
            print("nothing to do")
        """,
    )
    INVALID = (
        """
        import jax.numpy as jnp
        import mpi4jax
        from mpi4py import MPI

        rank = MPI.COMM_WORLD.Get_rank()
        x = jnp.ones(3)
        if rank == 0:
            mpi4jax.send(x, 1)  #! JM516
        elif rank == 1:
            x = mpi4jax.recv(x, 0)
        else:
            print("nothing to do on rank", rank)
        """,
        """
        import jax
        import jax.numpy as jnp
        import mpi4jax
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        rank = comm.Get_rank()

        @jax.jit
        def exchange(x):
            return mpi4jax.sendrecv(x, x, 1 - rank, 1 - rank)  #! JM516

        x = jnp.ones(3)
        if rank < 2:
            x = exchange(x)
        comm.Barrier()
        print(mpi4jax.allreduce(x, op=MPI.SUM))
        """,
    )
