"""JM417: colour and key exchanged."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class ColourAndKey(Rule):
    """Colour and key exchanged.

    ## What it does
    Reports `comm.Split(color, key)` where every rank passes a different colour, and several ranks the same key.

    ## Why is this bad?
    The colour selects the group, the key orders the ranks of a group. With a different colour, each rank is alone in
    its communicator: collectives on it change nothing, and the results are those of one rank.

    ## Example
    ```python
    row = comm.Split(comm.rank, comm.rank // columns)
    ```

    ## Use instead
    ```python
    row = comm.Split(comm.rank // columns, comm.rank)
    ```

    ## Confidence
    Medium: the ranks are apart with four ranks, where the keys would make groups.

    ## Known false negatives
    Keys that are equal on all ranks; programs for fewer or more than four ranks.

    ## References
    MPI 4.1, section 7.4.2 (MPI_COMM_SPLIT).
    """

    code = "JM417"
    name = "colour-and-key"
    severity = Severity.WARNING

    VALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        row = comm.Split(comm.rank // 2, comm.rank)
        column = comm.Split(comm.rank % 2, key=comm.rank // 2)
        alone = comm.Split(comm.rank)
        backwards = comm.Split(0, comm.size - comm.rank)
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        row = comm.Split(comm.rank, comm.rank // 2)  #! JM417
        print(row.allreduce(comm.rank))
        """,
    )
