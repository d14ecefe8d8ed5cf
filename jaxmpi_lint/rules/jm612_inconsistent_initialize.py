"""JM612: inconsistent initialization of JAX processes."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class InconsistentInitialize(Rule):
    """Inconsistent initialization of JAX processes.

    ## What it does
    Reports `jax.distributed.initialize` that is called twice, that only some processes call, or that the processes call
    with different numbers of processes, with the same process id, or with coordinator addresses of which each makes a
    part for itself: a free port, a random number, its process number. Also a `process_id` from a variable that counts
    within a node (`SLURM_LOCALID`, `OMPI_COMM_WORLD_LOCAL_RANK`, `LOCAL_RANK`) with the number of all processes.

    ## Why is this bad?
    A second call raises an exception. If a process does not call it, or two processes have the same id, the others wait
    until a timeout ends the job. At an address that is its own, each process waits for a coordinator that is not there.
    Numbers that count within a node are the same on each node, so a program that works on one node hangs on two.

    ## Example
    ```python
    if comm.rank == 0:
        jax.distributed.initialize("localhost:1234", comm.size, comm.rank)
    ```

    ## Use instead
    ```python
    jax.distributed.initialize("localhost:1234", comm.size, comm.rank)
    ```

    ## Confidence
    High where ranks and constants determine the arguments, medium where they depend on values of one process, and
    for addresses with a time, and for numbers that count within a node, since the program may be meant for one (not
    reported if the coordinator is on `localhost`); low for addresses with the name of the host.

    ## Known false negatives
    Addresses that differ in other ways. Scripts that are not the entry of a program; programs in which an unknown call
    may communicate.

    ## References
    JAX documentation, `jax.distributed.initialize`. Slurm, manual page of `srun`: `SLURM_LOCALID`.
    """

    code = "JM612"
    name = "inconsistent-initialize"
    severity = Severity.ERROR
    in_tests = Severity.WARNING

    VALID = (
        """
        import jax
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        jax.distributed.initialize("localhost:1234", num_processes=comm.size, process_id=comm.rank)
        """,
        """
        import jax


        def prepare():
            if not jax.distributed.is_initialized():
                jax.distributed.initialize()


        prepare()
        prepare()
        """,
    )
    INVALID = (
        """
        import jax
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        if comm.rank == 0:
            jax.distributed.initialize("localhost:1234", comm.size, comm.rank)  #! JM612
        """,
        """
        import jax


        def prepare():
            jax.distributed.initialize()  #! JM612


        prepare()
        prepare()
        """,
        """
        import jax
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        jax.distributed.initialize("localhost:1234", num_processes=comm.size, process_id=0)  #! JM612
        """,
    )
