"""JM506: mpi4py is called by a function that JAX traces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.tracing.tracer_values import TracedNames
from jaxmpi_lint.analysis.tracing.transform_semantics import tier, traced_calls
from jaxmpi_lint.checks.trace_steps import entry_name, trace_steps
from jaxmpi_lint.findings.diagnostics import Confidence, Severity
from jaxmpi_lint.library.model import COMMUNICATING, Kind
from jaxmpi_lint.rules.base import Finding, OperationRule

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_REPORTED = COMMUNICATING | {Kind.ONE_SIDED, Kind.EPOCH, Kind.START, Kind.COMPLETION}


class Mpi4pyCallInTracedFunction(OperationRule):
    """Call of mpi4py inside a function that JAX traces.

    ## What it does
    Reports mpi4py calls that communicate in the body of a function given to `jax.jit`, `pmap`, `shard_map`, `lax.scan`,
    `vmap`, `grad` and their like, and in all functions of the project that it calls. Queries such as `Get_rank` and
    `Get_size` are fine there, and so is what runs behind `pure_callback`, `io_callback` or `jax.debug.callback`.

    ## Why is this bad?
    Tracing runs the Python code once for each new combination of shapes and static arguments, and records array
    operations only. A call of mpi4py leaves nothing in the compiled program: it happens while tracing, with tracers in
    place of arrays, and never again. A rank that finds the function in its cache skips the call, a rank that meets a
    new shape makes it, and the job hangs.

    ## Example
    ```python
    import jax
    from mpi4py import MPI

    comm = MPI.COMM_WORLD


    @jax.jit
    def mean(x):
        return comm.allreduce(x.sum()) / comm.allreduce(x.size)
    ```

    ## Use instead
    ```python
    import jax
    import mpi4jax
    from mpi4py import MPI

    comm = MPI.COMM_WORLD.Clone()


    @jax.jit
    def mean(x, count):
        return mpi4jax.allreduce(x.sum(), op=MPI.SUM, comm=comm) / count
    ```

    ## How sure
    High where the body is recorded (`jit`, `pmap`, `shard_map`, `scan`, `while_loop`, `cond`) and the communicator is
    one of mpi4py. Medium where only the name of an object says that it is a communicator, and under `grad`, `vmap` and
    `checkpoint` alone, where the call is reported if it is given a traced value. Silent behind tests such as
    `if not isinstance(x, jax.core.Tracer)`, for communicators that are made once and kept in a global name, a field or
    a cache, and for rules attached by `custom_vjp` and `custom_jvp`, which plain Python may run with arrays.

    ## Known misses
    Functions that reach a transform through containers, factories or callables of other libraries.

    ## References
    JAX documentation, "Just-in-time compilation" and "External callbacks"; mpi4jax documentation, "Sharp bits".
    """

    code = "JM506"
    name = "mpi4py-call-in-traced-function"
    severity = Severity.ERROR
    replaces = ("JM101", "JM102")

    def check_function(self, function: Function) -> Iterator[Finding]:
        trace = function.project.traced.trace_of(function)
        if trace is None or tier(trace.transform) == 2:
            return
        while_traced = traced_calls(function.ir, function.project.traced.reached(function))
        for bound in function.calls():
            if not _communicates(bound) or bound.call.span not in while_traced or _is_kept(function, bound):
                continue
            recorded = tier(trace.transform) == 0
            if not recorded and not _is_given_tracer(function, bound):
                continue
            yield self._report(function, bound, trace.transform.name, recorded)

    def _report(self, function: Function, bound: BoundCall, transform: str, recorded: bool) -> Finding:
        assert bound.operation is not None
        where = f"{entry_name(function)} is traced by `{transform}`"
        what = f"`{bound.operation.method}` of mpi4py is called when {where}"
        consequence = "not when the compiled code runs" if recorded else "and is given a tracer, which has no data"
        return self.finding(
            function.module,
            bound.call.span,
            f"{what}, {consequence}",
            steps=trace_steps(function),
            remedy="communicate outside the traced function, with mpi4jax, or behind `jax.experimental.io_callback`",
            confidence=Confidence.HIGH if recorded and _is_certain(bound) else Confidence.MEDIUM,
        )

    VALID = (
        """\
import jax
from mpi4py import MPI

comm = MPI.COMM_WORLD


@jax.jit
def own_part(x):
    rank, size = comm.Get_rank(), comm.size
    return x * rank / size


def mean(x):
    return comm.allreduce(float(own_part(x).sum()))
""",
        """\
import jax
import mpi4jax
from mpi4py import MPI

comm = MPI.COMM_WORLD.Clone()


@jax.jit
def total(x):
    return mpi4jax.allreduce(x, op=MPI.SUM, comm=comm)
""",
    )
    INVALID = (
        """\
import jax
from mpi4py import MPI

comm = MPI.COMM_WORLD


@jax.jit
def mean(x):
    count = comm.allreduce(x.size)  #! JM506
    return x.sum() / count
""",
        """\
import jax
from mpi4py import MPI


class Solver:
    def __init__(self, comm):
        self.comm = comm
        self.step = jax.jit(self._step)

    def _step(self, u):
        return self._exchange(u) * 0.5

    def _exchange(self, u):
        return self.comm.sendrecv(u, dest=0, source=0)  #! JM506


solver = Solver(MPI.COMM_WORLD)
""",
    )


def _communicates(bound: BoundCall) -> bool:
    return any(entry.library == "mpi4py" and entry.kind in _REPORTED for entry in bound.operations)


def _is_kept(function: Function, bound: BoundCall) -> bool:
    """Whether a communicator is made once and kept: all ranks make it when they trace for the first time."""
    if not all(entry.kind in (Kind.CONSTRUCTOR, Kind.GROUP_CONSTRUCTOR) for entry in bound.operations):
        return False
    if any((ir.dotted(node) or "").endswith("cache") for d in function.ir.decorators for node in ir.walk(d)):
        return True
    return any(
        isinstance(step, ir.Assign)
        and step.value is bound.call
        and any(isinstance(t, ir.Attribute) or ir.dotted(t) in function.ir.globals for t in step.targets)
        for step in function.ir.steps()
    )


def _is_certain(bound: BoundCall) -> bool:
    """Whether the communicator is known by more than its name."""
    communicator = bound.communicator
    return communicator is not None and (communicator.context.startswith("mpi4py.") or communicator.origin is not None)


def _is_given_tracer(function: Function, bound: BoundCall) -> bool:
    names = TracedNames.of(function)
    return any(names.holds_tracer(argument.value) for argument in bound.call.args)
