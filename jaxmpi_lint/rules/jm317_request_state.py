"""JM317: request in the wrong state."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class RequestState(Rule):
    """Request in the wrong state.

    ## What it does
    Reports a persistent request that is started while it is active, or that is completed by `Wait` without having been
    started. And one whose array has changed places with a different array since it was made.

    ## Why is this bad?
    Starting an active request is an error. `Wait` on a request that was not started returns immediately, so the program
    uses data that was never transferred. A persistent request keeps its array: if two arrays change places by their
    names (`u, new = new, u`), it moves old values in every second step.

    ## Example
    ```python
    request = comm.Recv_init(halo, source=left)
    request.Wait()
    ```

    ## Use instead
    ```python
    request = comm.Recv_init(halo, source=left)
    request.Start()
    request.Wait()
    ```

    ## Confidence
    High where ranks and constants determine the arguments, medium where they depend on values of one process, and for
    arrays that change places.

    ## Known false negatives
    Functions that no script of the project calls; programs in which an unknown call may communicate; jobs with more
    than four ranks.

    ## References
    MPI 4.1, section 3.9 (persistent communication requests).
    """

    code = "JM317"
    name = "request-state"
    severity = Severity.ERROR
    in_tests = Severity.WARNING

    VALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
        cells, halo = np.ones(4), np.empty(4)
        requests = [comm.Send_init(cells, dest=right), comm.Recv_init(halo, source=left)]
        for step in range(3):
            MPI.Prequest.Startall(requests)
            MPI.Request.Waitall(requests)
        """,
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
        request = comm.isend(comm.rank, dest=right)
        value = comm.recv(source=left)
        request.wait()
        request.wait()
        """,
    )
    INVALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
        cells, halo = np.ones(4), np.empty(4)
        receive = comm.Recv_init(halo, source=left)
        send = comm.Isend(cells, dest=right)
        receive.Wait()  #! JM317
        send.Wait()
        """,
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
        cells, halo = np.ones(4), np.empty(4)
        receive = comm.Recv_init(halo, source=left)
        for step in range(3):
            receive.Start()  #! JM317
            comm.Isend(cells, dest=right).Wait()
        receive.Wait()
        """,
    )
