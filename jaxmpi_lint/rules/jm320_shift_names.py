"""JM320: neighbours of `Shift` in the wrong order."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_communicating
from jaxmpi_lint.checks.mpi4py.shift_names import shift_names
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class NeighboursOfShift(CheckRule):
    """Neighbours of a shift in the wrong order.

    ## What it does
    Reports names in the wrong order for the two ranks that `Shift` returns: `right, left = cart.Shift(0, 1)`.

    ## Why is this bad?
    `Shift` returns the source and then the destination. With the displacement 1, the source is the neighbour at the
    smaller coordinate, and the destination the one at the larger coordinate. With the names exchanged, each border is
    sent to the wrong side: nothing fails, and the numbers are wrong.

    ## Example
    ```python
    right, left = cart.Shift(0, 1)
    ```

    ## Use instead
    ```python
    left, right = cart.Shift(0, 1)
    ```

    ## Confidence
    Medium: it follows from the names alone, which may be meant otherwise. Words are `left` and `right`, `west` and
    `east`, `prev` and `next`, for the displacements 1 and -1, and `source` and `dest`, `src` and `dst`. `up` and
    `down`, `upper` and `lower` depend on the drawing, and are not looked at.

    ## Known false negatives
    Results that are not unpacked at once; other words, other displacements.

    ## References
    MPI 4.1, section 8.5.7 (MPI_CART_SHIFT).
    """

    code = "JM320"
    name = "neighbours-of-shift"
    severity = Severity.WARNING
    detect = in_communicating(shift_names)
    message = "`Shift` returns the source first, and `{d.first}` is the name for the destination"
    remedy = "exchange the two names"

    VALID = (
        """
        from mpi4py import MPI

        cart = MPI.COMM_WORLD.Create_cart([MPI.COMM_WORLD.size], periods=[True])
        left, right = cart.Shift(0, 1)
        right_rank, left_rank = cart.Shift(0, -1)
        source, dest = cart.Shift(0, -1)
        down, up = cart.Shift(0, 1)
        upper, lower = cart.Shift(0, 1)
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        cart = MPI.COMM_WORLD.Create_cart([MPI.COMM_WORLD.size], periods=[True])
        right, left = cart.Shift(0, 1)  #! JM320
        dest, source = cart.Shift(0, -1)  #! JM320
        """,
    )
