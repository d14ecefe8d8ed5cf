"""JM210: MINLOC or MAXLOC of a number."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_communicating
from jaxmpi_lint.checks.mpi4py.location_of_a_number import locations_of_numbers
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class LocationOfNumber(CheckRule):
    """MINLOC or MAXLOC of a number.

    ## What it does
    Reports `comm.allreduce`, `reduce`, `scan` or `exscan` with `MPI.MINLOC` or `MPI.MAXLOC` on one number.

    ## Why is this bad?
    For objects, mpi4py computes these operators in Python, on pairs of a value and a location. On a number, the ranks
    that combine operands raise `TypeError`, and the others wait for them.

    ## Example
    ```python
    best, where = comm.allreduce(float(energy), op=MPI.MINLOC)
    ```

    ## Use instead
    ```python
    best, where = comm.allreduce((float(energy), comm.rank), op=MPI.MINLOC)
    ```

    ## Confidence
    High: the rule reports operands only that are constants, ranks, sizes or results of `float`, `int`, `len`, `abs` and
    `round`.

    ## Known false negatives
    Numbers that a calculation or a parameter provides; operators of one's own that expect pairs.

    ## References
    MPI 4.1, section 6.9.4 (MINLOC and MAXLOC); mpi4py's operators for Python objects.
    """

    code = "JM210"
    name = "location-of-a-number"
    severity = Severity.ERROR
    detect = in_communicating(locations_of_numbers)
    message = "`{d.operator}` combines pairs of a value and a location, and `{d.text}` is one number"
    remedy = "pass a pair such as `(value, comm.rank)`"

    VALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        energy = float(comm.rank)
        best, where = comm.allreduce((energy, comm.rank), op=MPI.MINLOC)
        lowest = comm.allreduce(energy, op=MPI.MIN)
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        energy = float(comm.rank)
        best, where = comm.allreduce(energy, op=MPI.MINLOC)  #! JM210
        """,
        """
        from mpi4py import MPI

        def longest(comm, rows):
            return comm.reduce(len(rows), op=MPI.MAXLOC, root=0)  #! JM210
        """,
    )
