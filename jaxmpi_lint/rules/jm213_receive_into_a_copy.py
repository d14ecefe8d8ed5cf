"""JM213: receive into a copy."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_communicating
from jaxmpi_lint.checks.mpi4py.temporary_buffers import temporary_buffers
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class ReceiveIntoCopy(CheckRule):
    """Receive into a copy.

    ## What it does
    Reports a call of mpi4py that receives into a buffer which the argument makes as a copy: `array.copy()`,
    `astype`, `flatten`, `np.array(array)`, `np.ascontiguousarray(array[:, 0])`, a selection by a list, a mask or an
    array of positions, or the result of a calculation. Also a variable that holds such a copy of a part of an array, or
    one that a function of the project makes, if nothing else reads the variable.

    ## Why is this bad?
    The data arrives in the copy, which is gone after the call. The array keeps its old values, and nothing fails.

    ## Example
    ```python
    comm.Recv(np.ascontiguousarray(field[:, 0]), source=left)
    ```

    ## Use instead
    ```python
    column = np.empty(field.shape[0])
    comm.Recv(column, source=left)
    field[:, 0] = column
    ```

    ## Confidence
    High: the expression always makes a new array; medium where a test that is not known decides about the call.
    Silent for `np.ascontiguousarray`, `ravel` and `reshape` where they
    may return a view, for `flatten` in files that use torch, for new arrays such as `np.empty(1)`, which tell that the
    data is not needed, for a broadcast under a test of the rank, whose ranks may only send, for the root of the call,
    which all ranks know, and for the buffers that the ranks of the call do not use.

    ## Known false negatives
    Copies that another library makes; copies that are read before the call.

    ## References
    numpy, user guide: copies and views. mpi4py, tutorial: buffers must be writable, contiguous memory.
    """

    code = "JM213"
    name = "receive-into-a-copy"
    severity = Severity.ERROR
    detect = in_communicating(temporary_buffers)
    message = "`{d.method}` receives into `{d.text}`, a copy that nothing reads: the data is lost"
    remedy = "receive into an array with a name, and assign it to the part afterwards"

    VALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        field = np.zeros(12)
        ghosts = np.flatnonzero(np.arange(12) % 4 == 3)
        received = {rank: field[ghosts] for rank in range(comm.size)}
        if comm.rank == 0:
            for rank in range(1, comm.size):
                comm.Recv(received[rank], source=rank)
                field[ghosts] += received[rank]
        else:
            comm.Send(field[ghosts], dest=0)
        comm.Bcast(field[ghosts[0] : ghosts[1]], root=0)
        """,
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        field = np.zeros((4, 4))
        column = field[:, 0].copy()
        comm.Allreduce(MPI.IN_PLACE, column)
        field[:, 0] = column
        comm.Allreduce(field[:, 1].copy(), column)
        comm.Bcast(field[1:3], root=0)
        """,
    )
    INVALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        field = np.zeros((4, 4))
        comm.Allreduce(field[0], field[:, 0].copy())  #! JM213
        """,
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        field = np.zeros((4, 4))
        if comm.rank == 0:
            comm.Send(field[:, 0].copy(), dest=1)
        elif comm.rank == 1:
            comm.Recv(np.ascontiguousarray(field[:, 0]), source=0)  #! JM213
        """,
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        field = np.zeros(12)
        ghosts = np.flatnonzero(np.arange(12) % 4 == 3)
        if comm.rank == 0:
            for rank in range(1, comm.size):
                comm.Recv(field[ghosts], source=rank)  #! JM213
        else:
            comm.Send(field[ghosts], dest=0)
        """,
    )
