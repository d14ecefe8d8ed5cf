"""JM604: a computation of all JAX processes that only some of them launch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.jax.collective_calls import JointStep
from jaxmpi_lint.checks import divergence_story
from jaxmpi_lint.checks.jax.divergent_launches import LaunchDivergences, of_project
from jaxmpi_lint.findings.diagnostics import Confidence, Severity
from jaxmpi_lint.rules.base import Finding, Rule, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.divergence.divergence import Divergence
    from jaxmpi_lint.analysis.model.function import FunctionModel
    from jaxmpi_lint.analysis.model.project import Project


class JitOnGuardedProcess(Rule):
    """Compiled computation on global arrays that only some JAX processes launch.

    ## What it does
    Reports calls of functions compiled by `jit`, `pmap` or the like in a branch on `jax.process_index()`, or behind an
    early exit that only some processes take, if they are given a global array (one whose shards lie with several
    processes) or exchange data over the devices of all processes. Calls of functions that do so are reported too.

    ## Why is this bad?
    Such a computation runs on the devices of all processes, and each process has to launch its part. The one that comes
    alone waits for the others until a timeout ends the job, or takes their next launch for this one.

    ## Example
    ```python
    batch = jax.make_array_from_process_local_data(sharding, rows)
    if jax.process_index() == 0:
        print(loss(params, batch))
    ```

    ## Use instead
    ```python
    batch = jax.make_array_from_process_local_data(sharding, rows)
    value = loss(params, batch)
    if jax.process_index() == 0:
        print(value)
    ```

    ## How sure
    High when the index itself is tested and the launch is in the branch, medium where the launch is in a called
    function or the array comes from a caller. Silent for computations on arrays of one process or of unknown origin,
    for reads of addressable shards, where both sides launch the same computations in the same order, and for tests of
    the number of processes.

    ## Known misses
    Compiled functions and global arrays that are kept in containers or come from other libraries. Of single operations
    on global arrays, such as `x.sum()`, JM620 speaks.

    ## References
    JAX documentation, "Introduction to multi-controller JAX": all processes run the same computations in the same
    order.
    """

    code = "JM604"
    name = "jit-on-guarded-process"
    severity = Severity.WARNING

    VALID = (
        """
        import jax
        import jax.numpy as jnp

        @jax.jit
        def loss(x):
            return jnp.sum(x**2)

        def report(rows):
            if jax.process_index() == 0:
                print(loss(jnp.asarray(rows)))
        """,
        """
        import jax

        @jax.jit
        def loss(x):
            return (x**2).sum()

        def report(sharding, rows):
            batch = jax.make_array_from_process_local_data(sharding, rows)
            value = loss(batch)
            if jax.process_index() == 0:
                print(value.addressable_data(0))
        """,
        """
        import jax

        loss = jax.jit(lambda x: (x**2).sum())

        def report(sharding, rows):
            batch = jax.make_array_from_process_local_data(sharding, rows)
            if jax.process_index() == 0:
                print("the loss is", loss(batch))
            else:
                loss(batch)
        """,
        """
        import jax

        @jax.jit
        def local_norm(x):
            return (x**2).sum()

        def shards(sharding, rows):
            array = jax.make_array_from_process_local_data(sharding, rows)
            if jax.process_index() == 0:
                return [local_norm(shard.data) for shard in array.addressable_shards]
            return []
        """,
        """
        import jax

        @jax.jit
        def loss(x):
            return (x**2).sum()

        def report(sharding, rows):
            batch = jax.make_array_from_process_local_data(sharding, rows)
            if jax.process_count() > 1:
                batch = loss(batch)
            return batch
        """,
        """
        import jax
        import numpy as np
        from jax.sharding import Mesh, NamedSharding, PartitionSpec

        own = NamedSharding(Mesh(np.array(jax.local_devices()), ("x",)), PartitionSpec("x"))
        total = jax.jit(lambda x: x.sum())

        def show(rows):
            array = jax.make_array_from_process_local_data(own, rows)
            if jax.process_index() == 0:
                print(total(array))
        """,
        """
        import jax

        double = jax.pmap(lambda x: 2 * x)

        def show(x):
            if jax.process_index() == 0:
                print(double(x))
        """,
        """
        import jax

        @jax.jit
        def loss(x):
            return (x**2).sum()

        def check(sharding, rows):
            batch = jax.make_array_from_process_local_data(sharding, rows)
            if jax.process_index() > 7:
                raise RuntimeError("made for eight processes")
            return loss(batch)
        """,
    )
    INVALID = (
        """
        import jax

        @jax.jit
        def loss(x):
            return (x**2).sum()

        def report(sharding, rows):
            batch = jax.make_array_from_process_local_data(sharding, rows)
            if jax.process_index() == 0:
                print(loss(batch))  #! JM604
        """,
        """
        import jax
        from jax import lax, process_index

        mean = jax.pmap(lambda x: lax.pmean(x, "i"), axis_name="i")
        is_main = process_index() == 0

        def log(metrics):
            if not is_main:
                return
            print(mean(metrics))  #! JM604
        """,
        """
        import jax
        from functools import partial

        class Trainer:
            def __init__(self, sharding):
                self.sharding = sharding
                self.index = jax.process_index()
                self.step = jax.jit(self._step)

            def _step(self, weights, batch):
                return weights - 0.1 * batch.mean()

            def fit(self, weights, batches):
                for rows in batches:
                    batch = jax.make_array_from_process_local_data(self.sharding, rows)
                    weights = self.step(weights, batch)  #! JM604
                    enough = self.index == 0 and abs(float(weights)) < 1e-3
                    if enough:
                        break
                return weights
        """,
        """
        import jax

        @jax.jit
        def accuracy(state, batch):
            return (state * batch).mean()

        def evaluate(state, batches):
            return [accuracy(state, batch) for batch in batches]

        def score(state, batch):
            return float(accuracy(state, batch))

        def main(sharding, rows):
            state = jax.make_array_from_callback((8,), sharding, lambda index: rows[index])
            best = score(state, rows) if jax.process_index() == 0 else None  #! JM604
            return best
        """,
        """
        import jax

        def main(sharding, rows):
            normalise = jax.jit(lambda x: x / x.sum())
            state = jax.make_array_from_process_local_data(sharding, rows)
            other = normalise(state)
            if jax.process_index() < jax.process_count() - 1:
                other = normalise(other)  #! JM604
            return other
        """,
        """
        # file: model.py
        import jax

        total = jax.pmap(lambda x: jax.lax.psum(x, "i"), axis_name="i")

        def report(x):
            print(total(x))
        # file: run.py
        import jax
        import jax.numpy as jnp
        import model

        jax.distributed.initialize()
        x = model.total(jnp.ones((jax.local_device_count(), 3)))
        if not jax.process_index():
            model.report(x)  #! JM604
        """,
    )

    def check(self, project: Project) -> Iterator[Finding]:
        """One finding for each divergent branch or exit with a launch; none where there is one process only."""
        for function, divergence, launch in of_project(
            project, lambda f, sites: LaunchDivergences(f, sites).of_launches()
        ):
            yield self._report(function, divergence, launch)

    def _report(self, function: FunctionModel, divergence: Divergence, launch: JointStep) -> Finding:
        steps = list(divergence_story.steps(divergence))
        inner = launch.inner
        while inner is not None:
            steps.append(Step(inner.module, inner.span, f"launches {inner.what}"))
            inner = inner.inner
        return self.finding(
            function.module,
            divergence.event.span,
            f"{divergence_story.who(divergence)} {launch.what}, which all processes have to launch",
            steps=tuple(steps),
            remedy="launch it on every process and guard only what is done with the result",
            confidence=divergence_story.confidence(divergence) if launch.inner is None else Confidence.MEDIUM,
            severity=divergence_story.severity(divergence, self.severity),
        )
