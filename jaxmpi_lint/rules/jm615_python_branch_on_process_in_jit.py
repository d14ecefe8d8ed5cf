"""JM615: processes trace different programs because Python asks which process it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.jax.program_devices import Reach, reach_of
from jaxmpi_lint.checks.jax.process_index_in_trace import ProcessInTrace, ProcessUse, is_compiled
from jaxmpi_lint.checks.trace_steps import entry_name, trace_steps
from jaxmpi_lint.findings.diagnostics import Confidence, Severity
from jaxmpi_lint.rules.base import Finding, Rule, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.model.function import FunctionModel


class PythonBranchOnProcessInJit(Rule):
    """Process index in a function that JAX traces.

    ## What it does
    Reports an `if`, a `while` or a conditional expression on `jax.process_index()`, or on a value computed from it,
    that changes what a function given to `jax.jit`, `pmap`, `shard_map`, `lax.scan` or the like computes. Where the
    program visibly works on arrays of all processes, an index that goes into it as a number is reported as well.

    ## Why is this bad?
    Tracing runs the Python code once on each process, and the branch is decided there and then. Each process compiles a
    program of its own under the same name. The programs of a multi-process job have to be the same: their collectives
    match by position, so that processes wait for each other for ever, or add up arrays that do not belong together. If
    the compiler notices, the job ends while it compares programs.

    ## Example
    ```python
    @jax.jit
    def step(x):
        if jax.process_index() == 0:
            x = x * 2
        return x.sum()
    ```

    ## Use instead
    ```python
    @partial(jax.shard_map, mesh=mesh, in_specs=P("data"), out_specs=P())
    def step(x):
        first = jax.lax.axis_index("data") == 0
        return jax.lax.psum(jnp.where(first, x * 2, x).sum(), "data")
    ```

    ## How sure
    High where the program visibly runs on the devices of all processes (`pmap`, `shard_map`, shardings, collectives
    over an axis, a global array among the arguments), else medium: a program of arrays of one process alone may differ.
    There, an index that is used as a number is silent. So are programs on `jax.local_devices()`, branches that only
    print, log or raise, and ranks of MPI in files that do not call `jax.distributed.initialize`.

    ## Known misses
    Static arguments and fields of objects that hold the index; containers chosen by it.

    ## References
    JAX documentation, "Introduction to multi-controller JAX": all processes run the same computations in the same
    order.
    """

    code = "JM615"
    name = "python-branch-on-process-in-jit"
    severity = Severity.ERROR

    VALID = (
        """
        import jax

        @jax.jit
        def step(x):
            if jax.process_count() > 1:
                x = x * 2
            return x

        def main(x):
            x = step(x)
            if jax.process_index() == 0:
                print(x.addressable_data(0))
        """,
        """
        import jax

        @jax.jit
        def step(x):
            if jax.process_index() == 0:
                print("tracing", x.shape)
            return x * 2
        """,
        """
        import jax
        import jax.numpy as jnp

        jax.distributed.initialize()

        def shift(x):
            index = jax.lax.axis_index("data")
            return jnp.where(index == 0, x, x + 1)

        shifted = jax.pmap(shift, axis_name="data")
        """,
        """
        import jax

        def local_key(seed):
            return jax.random.fold_in(jax.random.key(seed), jax.process_index())

        @jax.jit
        def sample(key):
            return jax.random.normal(key, (3,))

        print(sample(local_key(0)))
        """,
        """
        import jax

        @jax.jit
        def augment(key, image):
            key = jax.random.fold_in(key, jax.process_index())
            return image + jax.random.normal(key, image.shape)

        def local_batches(key, images):
            return [augment(key, image) for image in images]
        """,
        """
        import jax
        import mpi4jax
        from mpi4py import MPI

        comm = MPI.COMM_WORLD.Clone()
        rank = comm.Get_rank()

        @jax.jit
        def halo(x):
            if rank > 0:
                x = mpi4jax.sendrecv(x, x, rank - 1, rank - 1, comm=comm)
            return x
        """,
        """
        import jax
        import numpy as np
        from jax.sharding import Mesh, NamedSharding, PartitionSpec

        mesh = Mesh(np.array(jax.local_devices()), ("data",))
        index = jax.process_index()

        def own_program(x):
            return x * 2 if index % 2 else x + index

        run = jax.jit(own_program, out_shardings=NamedSharding(mesh, PartitionSpec()))
        """,
        """
        import jax

        @jax.jit
        def checked(x):
            if jax.process_index() >= 4:
                raise ValueError("made for four processes")
            return x + 1
        """,
    )
    INVALID = (
        """
        import jax

        @jax.jit
        def step(x):
            if jax.process_index() == 0:  #! JM615
                x = x * 2
            return x.sum()
        """,
        """
        from functools import partial

        from jax import jit, process_index

        is_first = process_index() == 0

        @partial(jit, donate_argnums=0)
        def update(state, gradient):
            rate = gradient * 0.1 if is_first else gradient  #! JM615
            return state - rate
        """,
        """
        import jax
        import jax.numpy as jnp

        class Trainer:
            def __init__(self, loss):
                self.loss = loss
                self.index = jax.process_index()
                self.step = jax.pmap(self._step, axis_name="batch")

            def _step(self, weights, batch):
                return self._noisy(weights) - jax.lax.pmean(jax.grad(self.loss)(weights, batch), "batch")

            def _noisy(self, weights):
                if self.index != 0:  #! JM615
                    return weights
                return weights + jnp.ones_like(weights)
        """,
        """
        import jax
        import numpy as np
        from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

        jax.distributed.initialize()
        sharding = NamedSharding(Mesh(np.array(jax.devices()), ("x",)), P("x"))
        offset = jax.process_index() * 10

        @jax.jit
        def moved(x):
            return x + offset  #! JM615

        print(moved(jax.make_array_from_process_local_data(sharding, np.ones(4))).shape)
        """,
        """
        import jax
        import jax.experimental.shard_map as sm

        def noise(mesh, spec):
            def body(key, x):
                own = jax.random.fold_in(key, jax.process_index())  #! JM615
                return x + jax.random.normal(own, x.shape)

            return sm.shard_map(body, mesh=mesh, in_specs=spec, out_specs=spec)
        """,
        """
        import jax

        def scanned(xs):
            def body(carry, x):
                if jax.process_index():  #! JM615
                    return carry, x
                return carry + x, x

            return jax.lax.scan(body, 0.0, xs)
        """,
        """
        # file: model.py
        import jax

        def forward(x):
            while jax.process_index() > 0:  #! JM615
                return jax.lax.psum(x, "i")
            return x
        # file: train.py
        import jax
        from model import forward

        step = jax.pmap(lambda x: forward(x) + 1, axis_name="i")
        """,
    )

    def check_function(self, function: FunctionModel) -> Iterator[Finding]:
        if not is_compiled(function):
            return
        deciding, inside = ProcessInTrace(function).uses()
        branches = list({use.span: use for use in deciding}.values())
        constants = [] if branches else inside[:1]
        reach = reach_of(function) if branches or constants else Reach.OWN
        if reach is Reach.OWN:
            return
        for use in branches:
            yield self._report(function, use, Confidence.HIGH if reach is Reach.ALL else Confidence.MEDIUM)
        for use in constants if reach is Reach.ALL else ():
            yield self._report(function, use, Confidence.HIGH)

    def _report(self, function: FunctionModel, use: ProcessUse, confidence: Confidence) -> Finding:
        chain = use.value.reason.chain() if use.value.reason is not None else []
        steps = tuple(Step(link.module, link.span, link.message) for link in chain)
        what = "Python decides by the process" if use.branches else "the index of the process becomes a constant"
        return self.finding(
            function.module,
            use.span,
            f"{what} while {entry_name(function, use.trace)} is traced: processes compile different programs",
            steps=(*steps, *trace_steps(function, use.trace)),
            remedy="use `jax.lax.axis_index` and `jnp.where`, or pass what differs as data",
            confidence=confidence,
        )
