"""JM413: use of a communicator after it was freed."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.mpi4py.freed_communicators import uses_after_free
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class CommunicatorUsedAfterFree(CheckRule):
    """Use of a freed communicator.

    ## What it does
    Reports operations on a communicator after its `Free()` or `Disconnect()`, in the function that frees it: methods,
    mpi4jax operations, and calls of functions that use it, including compiled functions.

    ## Why is this bad?
    In mpi4py the communicator is `COMM_NULL` afterwards, and every operation on it raises an error on each rank that
    executes it. A function compiled by JAX contains the communicator handle as a constant: the next call passes a stale
    handle to MPI. With Open MPI that is a segmentation fault; with MPICH the operation can return garbage and the job
    can still end with exit code 0.

    ## Example
    ```python
    import jax
    import mpi4jax
    from mpi4py import MPI

    arrays = MPI.COMM_WORLD.Clone()


    @jax.jit
    def total(x):
        return mpi4jax.allreduce(x, op=MPI.SUM, comm=arrays)


    def main(first, second):
        print(total(first))
        arrays.Free()
        print(total(second))
    ```

    ## Use instead
    ```python
    import jax
    import mpi4jax
    from mpi4py import MPI

    arrays = MPI.COMM_WORLD.Clone()


    @jax.jit
    def total(x):
        return mpi4jax.allreduce(x, op=MPI.SUM, comm=arrays)


    def main(first, second):
        print(total(first))
        print(total(second))
        jax.effects_barrier()
        arrays.Free()
    ```

    ## Confidence
    High: the communicator is freed on every path to the use, and has not been recreated or reassigned. Two objects that
    the same line creates (in a function that is called twice) are treated as one only if they have the same name.

    ## Known false negatives
    A communicator that is freed in one function and used in a different function that is called later; that is freed at
    the end of a loop body and used at its beginning; that is freed on some paths only.

    ## Suppression
    `# jaxmpi-lint: ignore[JM413] reason`.

    ## References
    MPI 4.1, section 7.4.3: communicator destructors. mpi4jax 0.9: attributes of compiled operations.
    """

    code = "JM413"
    name = "communicator-used-after-free"
    severity = Severity.ERROR
    sanitizer = ("JS301",)
    detect = in_functions(uses_after_free)
    message = "{d.what} on `{d.freed.place}`, which is already freed"
    remedy = "free `{d.freed.place}` after its last use; call `jax.effects_barrier()` first where JAX uses it"

    VALID = (
        """def leave(comm, last):
    if last:
        comm.Free()
        return
    comm.Barrier()
""",
        """import jax
import mpi4jax
from mpi4py import MPI

arrays = MPI.COMM_WORLD.Clone()


@jax.jit
def total(x):
    return mpi4jax.allreduce(x, op=MPI.SUM, comm=arrays)


def main(x):
    print(total(x))
    jax.effects_barrier()
    arrays.Free()
""",
    )
    INVALID = (
        """from mpi4py import MPI

copy = MPI.COMM_WORLD.Dup()
copy.Free()
copy.Barrier()  #! JM413
""",
        """import mpi4jax
from mpi4py import MPI


def total(x, comm):
    return mpi4jax.allreduce(x, op=MPI.SUM, comm=comm)


def main(x):
    arrays = MPI.COMM_WORLD.Clone()
    try:
        x = total(x, arrays)
    finally:
        arrays.Free()
    return total(x, arrays)  #! JM413
""",
    )
