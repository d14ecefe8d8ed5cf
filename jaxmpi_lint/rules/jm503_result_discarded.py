"""JM503: the array that an operation of mpi4jax returns is thrown away."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.checks.base import in_communicating
from jaxmpi_lint.checks.mpi4jax.discarded_arrays import assignment, dropped_arrays
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import CheckRule, Example, Variant


class ResultDiscarded(CheckRule):
    """Result of an mpi4jax operation thrown away.

    ## What it does
    Finds statements that are nothing but `mpi4jax.recv(...)`, `bcast`, `sendrecv`, `scatter`, `allreduce` or another
    operation that returns an array. `send` and `barrier` return nothing and are fine.

    ## Why is this bad?
    Arrays of JAX cannot be written to. Operations of mpi4jax look like mpi4py's upper-case methods, but the array that
    is passed only says which shape and type to expect, or what to send; what arrived is *returned*. Without an
    assignment the program goes on with the old values. Nothing fails, and the communication takes place all the same.

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
    `allgather` and others has another shape than the argument.

    ## Confidence
    Error where the argument is read afterwards, warning where it is a parameter or a field, which the caller may read,
    info (not shown by default) for a local array that nobody reads, as in a warm-up or a timing loop. A `bcast` on the
    root only, a `gather` or `reduce` off the root, and an assignment to `_` are silent.

    ## Known false negatives
    A result that is kept and never used.

    ## Suppression
    Assign to `_`, or `# jaxmpi-lint: ignore[JM503] reason`.

    ## References
    mpi4jax 0.9, page on sharp bits: arrays are immutable. JAX, sharp bits: in-place updates.
    """

    code = "JM503"
    name = "result-discarded"
    severity = Severity.ERROR
    fix = Applicability.UNSAFE
    detect = in_communicating(dropped_arrays)
    repair = assignment
    message = "the result of `{d.operation.method}` is thrown away: {d.what}"
    remedy = "keep the result: `{d.kept} = mpi4jax.{d.operation.method}(...)`"
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
        """import mpi4jax as mj
from mpi4py import MPI


class Trainer:
    def step(self):
        mj.allreduce(self.gradient, op=MPI.SUM, comm=self.comm)  #! JM503
""",
    )
