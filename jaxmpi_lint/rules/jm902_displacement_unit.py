"""JM902: displacements in elements on a window of bytes."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class DisplacementUnit(Rule):
    """Displacements in elements on a window of bytes.

    ## What it does
    Reports `Put`, `Get`, `Accumulate` and the like with a displacement that counts elements, on a window that is made
    without `disp_unit`.

    ## Why is this bad?
    The displacement unit of `MPI.Win.Create` and `MPI.Win.Allocate` is one byte unless another one is passed. The
    displacement 3 then is the fourth byte of the first element: the operation changes parts of two elements.

    ## Example
    ```python
    window = MPI.Win.Create(histogram, comm=comm)
    window.Accumulate(one, owner, target=place)
    ```

    ## Use instead
    ```python
    window = MPI.Win.Create(histogram, disp_unit=histogram.itemsize, comm=comm)
    window.Accumulate(one, owner, target=place)
    ```

    ## Confidence
    Medium: the displacement is a number that the size of an element does not divide, or the remainder of a division,
    as the position in the block of a rank is, which nothing multiplies. The unit that counts is that of the target.

    ## Known false negatives
    Displacements that are computed otherwise or read, which may be bytes; elements of unknown size.

    ## References
    MPI 4.1, section 12.2.1 (MPI_WIN_CREATE); mpi4py, `MPI.Win.Create`.
    """

    code = "JM902"
    name = "displacement-unit"
    severity = Severity.WARNING

    VALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        memory = np.zeros(8)
        one = np.ones(1)
        window = MPI.Win.Create(memory, memory.itemsize, comm=comm)
        by_byte = MPI.Win.Create(memory, comm=comm)
        window.Fence()
        by_byte.Fence()
        window.Put(one, 0, target=3)
        by_byte.Put(one, 0)
        by_byte.Put(one, 0, target=3 * one.itemsize)
        by_byte.Put(one, 0, target=[16, 1, MPI.DOUBLE])
        window.Fence()
        by_byte.Fence()
        window.Free()
        by_byte.Free()
        """,
    )
    INVALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        memory = np.zeros(8)
        window = MPI.Win.Create(memory, comm=comm)
        window.Fence()
        window.Accumulate(np.ones(1), 0, target=3)  #! JM902
        window.Fence()
        window.Free()
        """,
    )
