"""JM503: discarded result of an mpi4jax or JAX operation."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.checks.base import InFunctions
from jaxmpi_lint.checks.mpi4jax.discarded_arrays import assignment, dropped_arrays, users
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import CheckRule, Example, Variant


class ResultDiscarded(CheckRule):
    """Discarded result of an mpi4jax or JAX operation.

    ## What it does
    Reports statements that consist only of `mpi4jax.recv(...)`, `bcast`, `sendrecv`, `scatter`, `allreduce` or any
    other operation that returns an array, of `jax.lax.psum`, `pmean` and the other collectives over a named axis,
    or of `multihost_utils.broadcast_one_to_all(...)`. Also a call of a function that only returns such a result. `send`
    and `barrier` return nothing and are not reported.

    ## Why is this bad?
    JAX arrays are immutable. mpi4jax operations look like mpi4py's upper-case methods, but the array argument only
    specifies the expected shape and dtype, or the data to send; the received data is *returned*. Without an assignment
    the program continues with the old values. The communication takes place, and no error is raised. JAX's own
    operations are the same: `broadcast_one_to_all(params)` leaves each process with its own `params`.

    ## Example
    ```python
    import mpi4jax


    def receive(template, comm):
        mpi4jax.recv(template, source=0, comm=comm)
        return template
    ```

    ## Use instead
    ```python
    import mpi4jax


    def receive(template, comm):
        return mpi4jax.recv(template, source=0, comm=comm)
    ```

    ## Fix safety
    The fix assigns the result to the variable that was passed. It is unsafe, because the result of `gather`,
    `allgather` and others has a different shape from the argument.

    ## Confidence
    Error where the argument is read afterwards, warning where it is a parameter or an attribute, which the caller may
    read, info (not shown by default) for a local array that is never read, as in a warm-up or a timing loop. Silent for
    a `bcast` on the root only, for a `gather` or `reduce` on ranks other than the root, for an assignment to `_`, and
    for `process_allgather`, whose result has a further axis.

    ## Known false negatives
    A result that is assigned but never used.

    ## Suppression
    Assign to `_`, or `# jaxmpi-lint: ignore[JM503] reason`.

    ## References
    mpi4jax 0.9, "Sharp bits": arrays are immutable. JAX, "Sharp bits": in-place updates.
    """

    code = "JM503"
    name = "result-discarded"
    severity = Severity.ERROR
    fix = Applicability.UNSAFE
    detect = InFunctions(dropped_arrays, users)
    repair = assignment
    message = "the result of `{d.operation.method}` is discarded: {d.what}"
    remedy = "keep the result: `{d.kept} = {d.called}(...)`"
    variants: ClassVar = {
        "outlives": Variant(severity=Severity.WARNING),
        "gone": Variant(severity=Severity.INFO),
    }

    VALID = (
        """import mpi4jax


def exchange(x, comm):
    mpi4jax.send(x, dest=1, comm=comm)
    mpi4jax.barrier(comm=comm)
    return mpi4jax.recv(x, source=1, comm=comm)
""",
        """import jax
from jax.experimental import multihost_utils


def wait(params):
    multihost_utils.process_allgather(params)
    if jax.process_index() == 0:
        multihost_utils.broadcast_one_to_all(params)
    else:
        params = multihost_utils.broadcast_one_to_all(params)
    return params
""",
        """import mpi4jax
from mpi4py import MPI


def wait(x, comm):
    _ = mpi4jax.allreduce(x, op=MPI.SUM, comm=comm)
    mpi4jax.allgather(x, comm=comm).block_until_ready()
    return x
""",
    )
    INVALID = (
        Example(
            """import mpi4jax


def receive(x, comm):
    mpi4jax.recv(x, source=0, comm=comm)  #! JM503
    return x
""",
            """import mpi4jax


def receive(x, comm):
    x = mpi4jax.recv(x, source=0, comm=comm)
    return x
""",
        ),
        Example(
            """import jax
from jax.experimental import multihost_utils


def train(params, steps):
    multihost_utils.broadcast_one_to_all(params)  #! JM503
    for step in range(steps):
        params = jax.tree.map(lambda leaf: leaf * 0.9, params)
    return params
""",
            """import jax
from jax.experimental import multihost_utils


def train(params, steps):
    params = multihost_utils.broadcast_one_to_all(params)
    for step in range(steps):
        params = jax.tree.map(lambda leaf: leaf * 0.9, params)
    return params
""",
        ),
        """import mpi4jax as mj
from mpi4py import MPI


class Trainer:
    def step(self):
        mj.allreduce(self.gradient, op=MPI.SUM, comm=self.comm)  #! JM503
""",
    )
