"""JM215: array in a pickle-based reduction that compares."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class ArrayInPickledExtremum(Rule):
    """Array in a pickle-based reduction that compares.

    ## What it does
    Reports `comm.allreduce`, `reduce`, `scan` or `exscan` of an array of several elements with `MPI.MAX`, `MPI.MIN` or
    a logical operator.

    ## Why is this bad?
    mpi4py computes these operators in Python: `MAX` is `y if y > x else x`. For arrays, `y > x` is an array, which has
    no truth value. The ranks that combine operands raise `ValueError`, and the others wait for them.

    ## Example
    ```python
    highest = comm.allreduce(temperatures.max(axis=0), op=MPI.MAX)
    ```

    ## Use instead
    ```python
    highest = np.empty(columns)
    comm.Allreduce(temperatures.max(axis=0), highest, op=MPI.MAX)
    ```

    ## Confidence
    High: the number of elements is known.

    ## Known false negatives
    Arrays of unknown shape; lists, which Python compares as a whole without an error.

    ## References
    mpi4py, predefined operators for Python objects. numpy: the truth value of an array with more than one element is
    ambiguous.
    """

    code = "JM215"
    name = "array-in-pickled-extremum"
    severity = Severity.ERROR

    VALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        values = np.arange(12.0) * comm.rank
        total = comm.allreduce(values, op=MPI.SUM)
        highest = comm.allreduce(values.max(), op=MPI.MAX)
        by_element = np.empty(12)
        comm.Allreduce(values, by_element, op=MPI.MAX)
        """,
    )
    INVALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        values = np.arange(12.0) * comm.rank
        highest = comm.allreduce(values, op=MPI.MAX)  #! JM215
        """,
    )
