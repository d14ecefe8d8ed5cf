"""JM212: value reduced twice."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.mpi4py.reduced_twice import reduced_twice
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule, Variant


class ValueReducedTwice(CheckRule):
    """Value reduced twice.

    ## What it does
    Reports `comm.allreduce` with `MPI.SUM` or `MPI.PROD` on the result of such a call, or on the quotient of two such
    results, and the division of a mean over the ranks by the number of ranks. Both also if a function of the project
    returns the sum or mean, or keeps the sum in a field. And a counter that keeps the sum (`MPI.IN_PLACE`), to which
    each rank adds more, and which the same call sums again.

    ## Why is this bad?
    The first call gives the sum to all ranks. The second one adds up equal values: the result is too large by the
    number of ranks. A mean that is divided once more is too small by that number.

    ## Example
    ```python
    total = comm.allreduce(energy)
    mean = comm.allreduce(total) / count
    ```

    ## Use instead
    ```python
    total = comm.allreduce(energy)
    mean = total / count
    ```

    ## Confidence
    Medium: the program may rely on the factor. Silent if the counter is set or divided between the two sums, if the
    result of the second sum is divided by the number of ranks or compared, and about a division of whose result a
    square root is taken, such as that of the error of a mean.

    ## Known false negatives
    Values that are computed from a sum in other ways; names that are assigned more than once; communicators of which it
    is not known that they are the same.

    ## References
    MPI 4.1, section 6.9.6: all processes receive the result of an all-reduce.
    """

    code = "JM212"
    name = "value-reduced-twice"
    severity = Severity.WARNING
    in_tests = "silent"  # tests compare the sum of equal values
    detect = in_functions(reduced_twice)
    message = "`{d.text}` is a sum over all ranks already, and is summed again"
    remedy = "reduce the value once"
    variants: ClassVar = {
        "divided": Variant(
            "`{d.text}` is divided by the number of ranks already, and is divided again", "divide the sum once"
        )
    }

    VALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        total = comm.allreduce(comm.rank)
        largest = comm.allreduce(total, op=MPI.MAX)
        mean = comm.allreduce(total) / comm.size
        share = comm.allreduce(total / comm.size)
        """,
        """
        from mpi4py import MPI

        def grand_total(rows, world, value):
            return world.allreduce(rows.allreduce(value))
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        def squares(comm, values):
            return comm.allreduce(sum(value * value for value in values), op=MPI.SUM)

        def norm(comm, values):
            return comm.allreduce(squares(comm, values), op=MPI.SUM) ** 0.5  #! JM212
        """,
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        total = comm.allreduce(comm.rank)
        print(comm.allreduce(total))  #! JM212
        """,
        """
        import numpy as np
        from mpi4py import MPI

        def average(comm, array):
            result = np.empty_like(array)
            comm.Allreduce(array, result, op=MPI.SUM)
            return result / comm.size

        comm = MPI.COMM_WORLD
        gradient = average(comm, np.full(3, comm.rank))
        print(gradient / comm.size)  #! JM212
        """,
    )
