"""JM221: part of a field that is changed by its own extreme value."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class OwnStep(Rule):
    """Part of a field that is changed by its own largest or least value.

    ## What it does
    Reports a largest or least value of the part that one rank has of an array, by which the rank multiplies or divides
    what it changes its part by, as by the length of a time step, if the ranks exchange borders of their parts by
    messages and the values of two ranks are different ones.

    ## Why is this bad?
    The parts are those of one field. With different time steps they belong to different times, and the exchanged
    borders do not fit: conserved quantities drift, and the result depends on the number of ranks. Nothing fails, and
    with one rank it is right.

    ## Example
    ```python
    dt = 0.4 * dx / np.abs(u).max()
    u[1:-1] -= dt / dx * (flux[1:] - flux[:-1])
    ```

    ## Use instead
    ```python
    dt = 0.4 * dx / comm.allreduce(np.abs(u).max(), op=MPI.MAX)
    u[1:-1] -= dt / dx * (flux[1:] - flux[:-1])
    ```

    ## Confidence
    Medium: a method may have a separate time step in each part on purpose. Silent for whole arrays, such as gradients
    that a rank limits before it sends them, and for values that the rank sends too.

    ## Known false negatives
    Parts of at most 256 elements with known values; ranks that exchange nothing by messages; functions that no script
    of the project calls; values in containers.

    ## References
    Courant, Friedrichs, Lewy (1928): the fastest wave of the whole field limits the time step.
    """

    code = "JM221"
    name = "own-step"
    severity = Severity.WARNING
    in_tests = Severity.WARNING

    VALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        left, right = (comm.rank - 1) % comm.size, (comm.rank + 1) % comm.size
        dx = 0.1
        x = (np.arange(4000) + 4000 * comm.rank) * dx
        u = np.zeros(4002)
        u[1:-1] = np.sin(x) + 1.5
        for step in range(100):
            u[0] = comm.sendrecv(u[-2].copy(), dest=right, source=left)
            u[-1] = comm.sendrecv(u[1].copy(), dest=left, source=right)
            fastest = comm.allreduce(np.abs(u).max(), op=MPI.MAX)
            dt = 0.4 * dx / fastest
            u[1:-1] -= dt / dx * u[1:-1] * (u[1:-1] - u[:-2])
        """,
    )
    INVALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        left, right = (comm.rank - 1) % comm.size, (comm.rank + 1) % comm.size
        dx = 0.1
        x = (np.arange(4000) + 4000 * comm.rank) * dx
        u = np.zeros(4002)
        u[1:-1] = np.sin(x) + 1.5
        for step in range(100):
            u[:1] = comm.sendrecv(u[-2:-1].copy(), dest=right, source=left)
            u[-1:] = comm.sendrecv(u[1:2].copy(), dest=left, source=right)
            dt = 0.4 * dx / np.abs(u).max()  #! JM221
            u[1:-1] -= dt / dx * u[1:-1] * (u[1:-1] - u[:-2])
        """,
    )
