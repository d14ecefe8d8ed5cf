"""JM121: different counts or dtypes in a collective."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from jaxmpi_lint.checks.base import Defect, in_functions
from jaxmpi_lint.checks.collectives.in_place_off_root import in_place_off_root
from jaxmpi_lint.checks.collectives.rank_dependent_counts import rank_counts
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule, Variant

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


def _buffers(function: Function) -> Iterator[Defect]:
    """The defects of the buffers in one function."""
    yield from rank_counts(function)
    yield from in_place_off_root(function)


class DifferentBuffers(CheckRule):
    """Different counts or dtypes in a collective.

    ## What it does
    Reports a collective on buffers whose counts or dtypes do not match: the ranks pass different counts or dtypes to
    `Bcast`, `Reduce`, `Allreduce` or `Scan`, the send and receive buffers of a reduction differ in count or dtype, a
    receive buffer is None where it is needed, it is smaller than what arrives in `Gather`, `Allgather` or `Scatter`, or
    of a dtype that gives the bits another meaning, a rank sends more in `Gatherv`, `Scatterv`, `Allgatherv` or
    `Alltoallv` than the receiver expects from it, or less, if the receiver states different counts or those of another
    group of ranks fit exactly, the counts and displacements lie outside of the buffer, the counts
    are numbers of rows although the elements are numbers, or a rank that is not the root passes `MPI.IN_PLACE` to
    `Reduce`, `Gather`, `Gatherv`, `Scatter` or `Scatterv`. Also a collective that needs equal counts on arrays of which
    each rank decides the length: elements selected by a mask, `flatnonzero`, `unique` and the like from data that
    differs between the ranks, the parts of `array_split`, or lists that loops over such elements fill;
    `multihost_utils.process_allgather` and `broadcast_one_to_all` need equal shapes too, and trees of one structure: a
    process that is not the source passes no None in place of a value. Also a `Create_dist_graph_adjacent` in which a
    rank names another one as a source or a destination that does not name it in turn, or not as often; and an
    `Alltoallv` with the same counts for both directions, which each rank counts in its own data; displacements that are
    the sums of the counts, where the parts end; and a `Reduce_scatter` to which the ranks pass different counts. Counts
    and lengths that follow from a number which the program reads are compared for examples of that number, and in
    `Gatherv` and `Allgatherv` a rank must not take the number of elements that it has selected for that of the others.

    ## Why is this bad?
    Data is truncated, memory is overwritten, bytes are reinterpreted as a different type, or the call fails on some
    ranks only, and the others wait. Collectives among neighbours wait for data that no rank sends.

    ## Example
    ```python
    cells = np.zeros(100 // comm.size + (comm.rank < 100 % comm.size))
    comm.Allreduce(MPI.IN_PLACE, cells)
    ```

    ## Use instead
    ```python
    counts = comm.allgather(cells.size)
    every = np.empty(sum(counts))
    comm.Allgatherv(cells, (every, counts))
    ```

    ## Confidence
    High where ranks and constants determine the arguments, where each rank passes a part of a buffer that begins or
    ends at its rank, and where a call that all ranks make is in place; medium where they depend on values of one
    process, for selected elements and parts of `array_split`, for counts that are used for both directions, and for
    examples of a number that not all ranks can divide evenly. Other lengths that are not known exactly are not
    compared, nor are constant lengths that fit some other number of ranks.

    ## Known false negatives
    Lengths of lists as counts for both directions, which two ranks may share; counts that mpi4py computes because
    none are passed, and those of `Alltoallw`; a message that is shorter than expected, except where its length is a
    number of rows. Functions that no script of the project calls; programs in which an unknown call may
    communicate; jobs with more than four ranks.

    ## References
    MPI 4.1, section 6.1: the amount of data sent must match the amount that the receiver specifies. Sections 6.5, 6.6
    and 6.9: `MPI_IN_PLACE` is for the root. Section 8.5.4: both ends name each edge. Runtime checks: JS105, JS106.
    """

    code = "JM121"
    name = "different-buffers"
    severity = Severity.ERROR
    in_tests = Severity.WARNING
    sanitizer = ("JS105", "JS106")
    detect = in_functions(_buffers)
    message = "`{d.operation.method}` takes `{d.text}`, whose length depends on the rank"
    remedy = "pass equally many elements on all ranks, or use the variant for different counts{at_run_time}"

    variants: ClassVar = {
        "in place": Variant(
            "ranks other than the root pass `MPI.IN_PLACE` as {d.what} buffer to this `{d.operation.method}`",
            "pass `MPI.IN_PLACE` on the root only, and the own part on the other ranks",
        ),
    }

    VALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        cells = np.ones(4 + comm.rank)
        counts = comm.allgather(cells.size)
        every = np.empty(sum(counts))
        comm.Allgatherv(cells, (every, counts))
        """,
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        rows = np.empty(4 * comm.size) if comm.rank == 0 else None
        comm.Gather(np.ones(4), rows, root=0)
        """,
    )
    INVALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        cells = np.zeros(4 + comm.rank)
        total = np.zeros(4 + comm.rank)
        comm.Allreduce(cells, total)  #! JM121
        """,
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        if comm.rank == 0:
            table = np.arange(8, dtype=np.float64)
        else:
            table = np.empty(8, dtype=np.float32)
        comm.Bcast(table, root=0)  #! JM121
        """,
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        rows = np.empty(4) if comm.rank == 0 else None
        comm.Gather(np.ones(4), rows, root=0)  #! JM121
        """,
    )
