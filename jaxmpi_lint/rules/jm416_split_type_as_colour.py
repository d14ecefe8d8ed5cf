"""JM416: split type as colour."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_communicating
from jaxmpi_lint.checks.mpi4py.split_type_as_colour import by_type, split_types_as_colours
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import CheckRule, Example


class SplitTypeAsColour(CheckRule):
    """Split type as colour.

    ## What it does
    Reports `comm.Split(MPI.COMM_TYPE_SHARED)`: a constant for `Split_type` as the colour of `Split`.

    ## Why is this bad?
    `Split` takes the constant for a colour that all ranks share. The result holds all ranks of the communicator, on all
    nodes. On one node the program works; on several, `MPI.Win.Allocate_shared` on the result fails, and other code
    treats remote ranks as local ones.

    ## Example
    ```python
    node = MPI.COMM_WORLD.Split(color=MPI.COMM_TYPE_SHARED, key=0)
    ```

    ## Use instead
    ```python
    node = MPI.COMM_WORLD.Split_type(MPI.COMM_TYPE_SHARED, key=0)
    ```

    ## Fix safety
    Unsafe: with the fix, the communicator has other members than before.

    ## Confidence
    High: the constants have no meaning as colours.

    ## References
    MPI 4.1, section 7.4.2 (MPI_COMM_SPLIT and MPI_COMM_SPLIT_TYPE).
    """

    code = "JM416"
    name = "split-type-as-colour"
    severity = Severity.ERROR
    fix = Applicability.UNSAFE
    detect = in_communicating(split_types_as_colours)
    repair = by_type
    message = "`{d.text}` is a type for `Split_type`; as a colour it puts all ranks into one group"
    remedy = "use `Split_type`"

    VALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        node = comm.Split_type(MPI.COMM_TYPE_SHARED)
        halves = comm.Split(comm.rank % 2, key=comm.rank)
        rest = comm.Split(color=MPI.UNDEFINED if comm.rank else 0)
        """,
    )
    INVALID = (
        Example(
            """
            from mpi4py import MPI

            node = MPI.COMM_WORLD.Split(color=MPI.COMM_TYPE_SHARED, key=0)  #! JM416
            """,
            """
            from mpi4py import MPI

            node = MPI.COMM_WORLD.Split_type(split_type=MPI.COMM_TYPE_SHARED, key=0)
            """,
        ),
        """
        from mpi4py import MPI

        def node_of(comm):
            kind = MPI.COMM_TYPE_SHARED
            return comm.Split(kind)  #! JM416
        """,
    )
