"""JM220: scalar product of one rank's parts beside one of all ranks."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.mpi4py.own_products import own_products
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class OwnScalarProduct(CheckRule):
    """Scalar product of one rank's parts beside one of all ranks.

    ## What it does
    Reports the quotient of two scalar products of which one is summed over all ranks (`allreduce` or `Allreduce` with
    `MPI.SUM`) and the other one is not, if a vector of the latter is computed element by element from those of the
    former, so that both are distributed in the same way.

    ## Why is this bad?
    The quotient, such as the length of a step in the method of conjugate gradients, has a different value on each rank.
    The iteration does not converge, or converges to a wrong result. With one rank it is right, so tests do not show it.

    ## Example
    ```python
    rr = comm.allreduce(r @ r)
    p = r.copy()
    q = multiply(p)
    alpha = rr / (p @ q)
    ```

    ## Use instead
    ```python
    rr = comm.allreduce(r @ r)
    p = r.copy()
    q = multiply(p)
    alpha = rr / comm.allreduce(p @ q)
    ```

    ## Confidence
    Medium: a quotient of the part of one rank and the whole may be intended.

    ## Known false negatives
    Products that are not divided; vectors in fields; vectors that in-place operations alone connect.

    ## References
    MPI 4.1, section 6.9.6: all processes receive the result of an all-reduce.
    """

    code = "JM220"
    name = "own-scalar-product"
    severity = Severity.WARNING
    in_tests = "silent"  # tests compare with such quotients
    detect = in_functions(own_products)
    message = (
        "`{d.text}` is the scalar product of this rank's parts only; the other side of the quotient is summed over all"
        " ranks"
    )
    remedy = "sum it over all ranks, `comm.allreduce({d.text})`"

    VALID = (
        """
        import numpy as np
        from mpi4py import MPI

        def minimize(comm, multiply, b):
            r = b.copy()
            p = r.copy()
            x = np.zeros_like(b)
            rr = comm.allreduce(r @ r)
            while rr > 1e-12:
                q = multiply(p)
                alpha = rr / comm.allreduce(p @ q)
                x += alpha * p
                r -= alpha * q
                new = comm.allreduce(r @ r)
                p = r + (new / rr) * p
                rr = new
            return x
        """,
        """
        import numpy as np
        from mpi4py import MPI

        def share(comm, field):
            shifted = field - 1.0
            own = np.dot(shifted, shifted)
            total = comm.allreduce(own)
            return own / total

        def weight(comm, density, direction):
            total = comm.allreduce(density @ density)
            other = direction.copy()
            image = other * 2.0
            return total / (other @ image)
        """,
    )
    INVALID = (
        """
        import numpy as np
        from mpi4py import MPI

        def minimize(comm, multiply, b):
            r = b.copy()
            p = r.copy()
            x = np.zeros_like(b)
            rr = comm.allreduce(r @ r)
            while rr > 1e-12:
                q = multiply(p)
                alpha = rr / (p @ q)  #! JM220
                x += alpha * p
                r -= alpha * q
                new = comm.allreduce(r @ r)
                p = r + (new / rr) * p
                rr = new
            return x
        """,
        """
        import numpy as np
        from mpi4py import MPI

        def dot(comm, a, b):
            return comm.allreduce(np.dot(a, b), op=MPI.SUM)

        def direction(comm, gradient, before, p):
            r = gradient - before
            old = dot(comm, before, before)
            z = before + r
            beta = np.vdot(z, r) / old  #! JM220
            return z + beta * p
        """,
    )
