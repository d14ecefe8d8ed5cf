"""JM218: arguments that do not fit a method of a communicator."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_communicating
from jaxmpi_lint.checks.mpi4py.unfit_arguments import unfit_arguments
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class UnfitArguments(CheckRule):
    """Arguments that do not fit a method of a communicator.

    ## What it does
    Reports sends, receives and collectives of mpi4py with a keyword that the method does not have, with too many
    positional arguments, or without one that the method needs. So it does with floats as counts or displacements: an
    array that `np.zeros(comm.size)` has made, or quotients. Releases before mpi4py 4.0 cut off their fraction.

    ## Why is this bad?
    The call raises `TypeError` on every rank that reaches it, and no message is sent. If only some ranks make the call,
    the others wait for them.

    ## Example
    ```python
    if comm.rank == 0:
        comm.send(samples, source=1)
    else:
        samples = comm.recv(source=0)
    ```

    ## Use instead
    ```python
    if comm.rank == 0:
        comm.send(samples, dest=1)
    else:
        samples = comm.recv(source=0)
    ```

    ## Confidence
    High: the communicator is provably one of mpi4py, and no release of mpi4py that may be in use accepts the
    arguments. Floats as counts are a warning with medium confidence: releases before 4.0 accept them. Silent for
    communicators that are known by their name only, with `*` and `**`, and where a test expects the failure.

    ## Known false negatives
    Methods that create communicators, and those of windows, files and requests.

    ## References
    mpi4py documentation, `mpi4py.MPI.Comm`.
    """

    code = "JM218"
    name = "unfit-arguments"
    severity = Severity.ERROR
    detect = in_communicating(unfit_arguments)
    message = "{d.reason}: the call raises TypeError"
    remedy = "pass arguments for the parameters of the method"

    VALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        if comm.rank == 0:
            comm.send([1], 1, 3)
        elif comm.rank == 1:
            print(comm.recv(None, 0, tag=3))
        print(comm.reduce(1, MPI.MAX, 0))
        """,
        """
        from mpi4py import MPI

        def first(**options):
            return MPI.COMM_WORLD.bcast(3, **options)
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        if comm.rank == 0:
            comm.send([1], source=1)  #! JM218
        elif comm.rank == 1:
            samples = comm.recv(source=0)
        """,
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        comm.Barrier(0)  #! JM218
        comm.send([1])  #! JM218
        found = comm.allreduce(1, MPI.SUM, 0)  #! JM218
        """,
    )
