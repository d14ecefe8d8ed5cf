"""JM504: mpi4py and mpi4jax on one communicator."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_project
from jaxmpi_lint.checks.mpi4jax.shared_communicators import clone, shared_communicators
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import CheckRule, Example


class SharedCommMpi4pyMpi4jax(CheckRule):
    """Communicator shared by mpi4py and mpi4jax.

    ## What it does
    Finds a communicator that is handed to mpi4jax and on which mpi4py communicates afterwards, where nothing in between
    waits for JAX. One finding for each communicator, at the operation of mpi4jax.

    ## Why is this bad?
    JAX runs asynchronously: a call of a compiled function returns before its operations have reached MPI, and nobody
    knows whether the message of mpi4py, written later, goes first. On one communicator the two are matched in the
    order of their arrival. Seen with Open MPI and MPICH: a receive of mpi4jax got the data that was meant for mpi4py
    and the reverse, exit code 0; `Allreduce` next to `mpi4jax.allreduce` gave the same wrong sum for both.

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
    The fix makes a clone for mpi4jax where the communicator is a global name of the file. It is unsafe, because other
    files and processes have to do the same.

    ## Confidence
    High for the hazard; whether it strikes is a matter of timing. Silent where the values of arrays are needed in
    between (`block_until_ready`, `jax.effects_barrier()`, `float(...)`, `np.asarray(...)`, `print`), for rank and size,
    for pickled reductions and scans of mpi4py (they use a private duplicate), for a message next to a collective (MPI
    never takes one for the other), for mpi4jax's default communicator, which is a clone, and for duplicates made by
    `Dup` or `Clone`.

    ## Known false negatives
    Uses in two functions that no function of the project calls both.

    ## Suppression
    Give one library a clone, or `# jaxmpi-lint: ignore[JM504] reason`.

    ## References
    MPI 4.1, section 7.1.2: communication contexts. mpi4jax 0.9, page on sharp bits: using mpi4py next to mpi4jax.
    """

    code = "JM504"
    name = "shared-comm-mpi4py-mpi4jax"
    severity = Severity.WARNING
    sanitizer = ("JS402",)
    fix = Applicability.UNSAFE
    detect = in_project(shared_communicators)
    repair = clone
    message = (
        "`mpi4jax.{d.race.arrays.operation.method}` and mpi4py's `{d.race.objects.operation.method}` share "
        "{d.race.arrays.communicator.label}: nobody knows which goes first"
    )
    remedy = "give mpi4jax a communicator of its own: `comm.Clone()`, freed behind `jax.effects_barrier()`"

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
