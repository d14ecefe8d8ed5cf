"""JM504: one communicator used by both mpi4py and mpi4jax."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_project
from jaxmpi_lint.checks.mpi4jax.shared_communicators import clone, shared_communicators
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import CheckRule, Example


class SharedCommMpi4pyMpi4jax(CheckRule):
    """Communicator shared by mpi4py and mpi4jax.

    ## What it does
    Reports a communicator that is passed to mpi4jax and on which mpi4py communicates afterwards, where nothing in
    between waits for JAX. There is one finding per communicator, at the mpi4jax operation.

    ## Why is this bad?
    JAX dispatches asynchronously: a call of a compiled function returns before its operations have reached MPI, and a
    later mpi4py message may overtake them. On one communicator, MPI matches the operations in the order in which they
    are issued. Observed with Open MPI and MPICH: an mpi4jax receive got the data that was meant for mpi4py and vice
    versa, with exit code 0; `Allreduce` next to `mpi4jax.allreduce` gave the same wrong sum for both.

    ## Example
    ```python
    import mpi4jax
    from mpi4py import MPI

    comm = MPI.COMM_WORLD


    def exchange(x, host, other):
        mpi4jax.send(x, dest=other, comm=comm)
        comm.Send(host, dest=other)
    ```

    ## Use instead
    ```python
    import mpi4jax
    from mpi4py import MPI

    comm = MPI.COMM_WORLD
    arrays = comm.Clone()


    def exchange(x, host, other):
        mpi4jax.send(x, dest=other, comm=arrays)
        comm.Send(host, dest=other)
    ```

    ## Fix safety
    The fix creates a clone for mpi4jax where the communicator is a global name of the file. It is unsafe, because other
    files and ranks must do the same.

    ## Confidence
    High that there is a race; whether it causes a failure depends on timing. Silent where the values of arrays are
    needed in between (`block_until_ready`, `jax.effects_barrier()`, `float(...)`, `np.asarray(...)`, `print`, a test, a
    text, a function of numpy), for rank and size, for pickle-based reductions and scans of mpi4py (they use a private
    duplicate), for a message next to a collective (MPI never matches one with the other), for mpi4jax's default
    communicator, which is a clone, and for duplicates created by `Dup` or `Clone`.

    ## Known false negatives
    Uses in two functions, if no function of the project calls both.

    ## Suppression
    Pass a clone to one of the libraries, or `# jaxmpi-lint: ignore[JM504] reason`.

    ## References
    MPI 4.1, section 7.1.2: communication contexts. mpi4jax 0.9, "Sharp bits": using mpi4py next to mpi4jax.
    """

    code = "JM504"
    name = "shared-comm-mpi4py-mpi4jax"
    severity = Severity.WARNING
    sanitizer = ("JS402",)
    fix = Applicability.UNSAFE
    detect = in_project(shared_communicators)
    repair = clone
    message = (
        "`mpi4jax.{d.race.arrays.operation.method}` and mpi4py's `{d.race.objects.operation.method}` use "
        "{d.race.arrays.communicator.label} concurrently: their relative order is unspecified"
    )
    remedy = "pass a separate communicator to mpi4jax: `comm.Clone()`, freed after `jax.effects_barrier()`"

    VALID = (
        """import mpi4jax
from mpi4py import MPI

comm = MPI.COMM_WORLD
arrays = comm.Clone()


def exchange(x, host):
    mpi4jax.send(x, dest=1, comm=arrays)
    comm.Send(host, dest=1)
""",
        """import mpi4jax
from mpi4py import MPI

comm = MPI.COMM_WORLD


def total(x):
    x = mpi4jax.allreduce(x, op=MPI.SUM, comm=comm)
    return x / comm.Get_size(), comm.rank
""",
    )
    INVALID = (
        Example(
            """import mpi4jax
from mpi4py import MPI

comm = MPI.COMM_WORLD


def exchange(x, host):
    mpi4jax.send(x, dest=1, comm=comm)  #! JM504
    comm.Send(host, dest=1)
""",
            """import mpi4jax
from mpi4py import MPI

comm = MPI.COMM_WORLD
comm_mpi4jax = comm.Clone()


def exchange(x, host):
    mpi4jax.send(x, dest=1, comm=comm_mpi4jax)
    comm.Send(host, dest=1)
""",
        ),
        """import jax
import mpi4jax
from mpi4py import MPI

comm = MPI.COMM_WORLD


@jax.jit
def total(x):
    return mpi4jax.allreduce(x, op=MPI.SUM, comm=comm)  #! JM504


def main(x):
    x = total(x)
    comm.Barrier()
    return x
""",
    )
