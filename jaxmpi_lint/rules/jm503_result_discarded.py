"""JM503: the array that an operation of mpi4jax returns is thrown away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.checks.mpi4jax.discarded_arrays import DroppedArray, Loss, dropped_arrays
from jaxmpi_lint.checks.mpi4jax.mpi4jax_versions import takes_tokens
from jaxmpi_lint.findings.diagnostics import Applicability, Confidence, Severity
from jaxmpi_lint.rules.base import Example, Finding, OperationRule, Repair, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_SEVERITIES = {Loss.USED: Severity.ERROR, Loss.OUTLIVES: Severity.WARNING, Loss.GONE: Severity.INFO}


class ResultDiscarded(OperationRule):
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

    ## How sure
    Error where the argument is read afterwards, warning where it is a parameter or a field, which the caller may read,
    info (not shown by default) for a local array that nobody reads, as in a warm-up or a timing loop. A `bcast` on the
    root only, a `gather` or `reduce` off the root, and an assignment to `_` are silent.

    ## Known misses
    A result that is kept and never used.

    ## How to silence
    Assign to `_`, or `# jaxmpi-lint: ignore[JM503] reason`.

    ## References
    mpi4jax 0.9, page on sharp bits: arrays are immutable. JAX, sharp bits: in-place updates.
    """

    code = "JM503"
    name = "result-discarded"
    severity = Severity.ERROR
    fix = Applicability.UNSAFE

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

    def check_function(self, function: Function) -> Iterator[Finding]:
        """Every bare statement of the function."""
        for found in dropped_arrays(function):
            yield self._finding(found)

    def _finding(self, found: DroppedArray) -> Finding:
        module, operation = found.function.module, found.operation
        what = f"`{found.place}` does not change" if found.place is not None else "the data that arrives is lost"
        steps = [Step(module, found.call.span, f"returns a new array; {what}")]
        trace = found.function.project.traced.trace_of(found.function)
        if trace is not None:
            steps.insert(0, Step(trace.module, trace.span, "compiled; the operation is executed all the same"))
        kept = found.place or "result"
        return self.finding(
            module,
            found.call.span,
            f"the result of `{operation.method}` is thrown away: {what}",
            steps=tuple(steps),
            remedy=f"keep the result: `{kept} = mpi4jax.{operation.method}(...)`",
            repair=self._repair(found),
            confidence=Confidence.HIGH if found.loss is Loss.USED else Confidence.MEDIUM,
            severity=_SEVERITIES[found.loss],
        )

    def _repair(self, found: DroppedArray) -> Repair | None:
        place, function = found.place, found.function
        if place is None or not place.isidentifier() or not function.is_local(place):
            return None
        if function.module.source(found.step.span) != function.module.source(found.call.span):
            return None
        target = f"{place}, _ = " if takes_tokens(function.project) and found.operation.token else f"{place} = "
        start = found.call.span[0]
        return Repair(Applicability.UNSAFE, f"assign the result to `{place}`", (((start, start), target),))
