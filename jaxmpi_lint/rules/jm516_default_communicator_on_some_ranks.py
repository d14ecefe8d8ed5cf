"""JM516: messages of mpi4jax on its default communicator that only some ranks come to."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_project
from jaxmpi_lint.checks.mpi4jax.lone_default_uses import reported_lone_uses
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class DefaultCommunicatorOnSomeRanks(CheckRule):
    """Default communicator of mpi4jax first used by some ranks only.

    ## What it does
    Reports messages of mpi4jax without `comm` that only some ranks of the world ever come to, or that the other ranks
    come to only behind a collective of all ranks.

    ## Why is this bad?
    Without `comm`, mpi4jax works on a clone of `COMM_WORLD` that it makes at the first operation of the process. To
    clone a communicator is a collective: two ranks that exchange a message wait inside of it for all the others, which
    were never meant to take part, and the job hangs before anything is sent.

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
    comm = MPI.COMM_WORLD.Clone()  # by all ranks
    rank = comm.Get_rank()
    if rank == 0:
        mpi4jax.send(x, 1, comm=comm)
    elif rank == 1:
        x = mpi4jax.recv(x, 0, comm=comm)
    else:
        print("nothing to do")
    ```

    ## Confidence
    The program is followed for each rank of worlds of two, three and four ranks, as far as its tests of rank and size
    decide. High where the ranks come to the message in every run, medium where other tests decide about it. A program
    that is right for two ranks is reported only if it is visibly meant for more: another arm has something to do for
    them, the rank is tested by order, or its text says how it is started. Silent where all ranks came to an operation
    on the default communicator before, or come to one later without waiting for the others; where the way of the
    program cannot be followed; and for collectives, of which JM101 and its kin speak.

    ## Known false negatives
    Functions of libraries that other projects call; ranks that a function gets as an argument; methods of objects that
    are not known; generators.

    ## References
    mpi4jax documentation, "API": `comm` defaults to a clone of `COMM_WORLD`, made when it is first needed. MPI 4.1,
    section 7.4.2: `MPI_COMM_DUP` is collective over the group of the communicator.
    """

    code = "JM516"
    name = "default-communicator-on-some-ranks"
    severity = Severity.ERROR
    detect = in_project(reported_lone_uses)
    message = (
        "the first use of mpi4jax's default communicator clones COMM_WORLD, for which all ranks have to come: "
        "of {d.size}, only {d.only}"
    )
    remedy = "make a communicator on all ranks, `comm = MPI.COMM_WORLD.Clone()`, and pass it as `comm=`"

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
