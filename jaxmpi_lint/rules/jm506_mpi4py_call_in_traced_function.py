"""JM506: mpi4py communication in a function that JAX traces."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.checks.base import in_communicating
from jaxmpi_lint.checks.mpi4py.traced_calls import traced_mpi4py_calls
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule, Variant


class Mpi4pyCallInTracedFunction(CheckRule):
    """Communication through mpi4py in a function that JAX traces.

    ## What it does
    Reports mpi4py calls that communicate in the body of a function passed to `jax.jit`, `pmap`, `shard_map`,
    `lax.scan`, `vmap`, `grad` and similar transforms, and in all functions of the project that it calls. Queries such
    as `Get_rank` and `Get_size` are fine there, and so is code inside `pure_callback`, `io_callback` or
    `jax.debug.callback`.

    ## Why is this bad?
    Tracing runs the Python code once for each new combination of shapes and static arguments, and records only array
    operations. An mpi4py call does not become part of the compiled program: it runs during tracing, with tracers in
    place of arrays, and never again. A rank that finds the function in its compilation cache skips the call, a rank
    that traces for a new shape makes it, and the job hangs.

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

    ## Confidence
    High where the body is recorded (`jit`, `pmap`, `shard_map`, `scan`, `while_loop`, `cond`) and the object is known
    to be an mpi4py communicator. Medium where only the name of an object suggests that it is a communicator. Medium
    also under `grad`, `vmap` and `checkpoint` alone; there the call is reported if it is passed a traced value. Silent
    after tests such as `if not isinstance(x, jax.core.Tracer)`, for communicators that are created once and kept in a
    global name, an attribute or a cache, and for rules attached by `custom_vjp` and `custom_jvp`, which may also run
    eagerly with arrays.

    ## Known false negatives
    Functions passed to a transform through containers, factories or callables of other libraries.

    ## References
    JAX documentation, "Just-in-time compilation" and "External callbacks"; mpi4jax documentation, "Sharp bits".
    """

    code = "JM506"
    name = "mpi4py-call-in-traced-function"
    severity = Severity.ERROR
    replaces = ("JM101", "JM102")
    detect = in_communicating(traced_mpi4py_calls)
    message = "mpi4py's `{d.method}` runs when `{d.transform}` traces {d.entry}, not when the compiled code runs"
    remedy = "communicate outside the traced function, with mpi4jax, or in a `jax.experimental.io_callback`"
    variants: ClassVar = {
        "tracer": Variant(
            "mpi4py's `{d.method}` runs when `{d.transform}` traces {d.entry}, and receives a tracer, which has no data"
        )
    }

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
