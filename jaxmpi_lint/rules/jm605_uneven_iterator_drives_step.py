"""JM605: a loop over a process's own share of the data drives steps of all processes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.jax.collective_calls import JointStep, joint_step
from jaxmpi_lint.analysis.jax.global_arrays import has_several_processes
from jaxmpi_lint.analysis.lattice.lattice import FunctionReference
from jaxmpi_lint.analysis.lattice.limits import UNEVEN_LOOP_CALLS
from jaxmpi_lint.analysis.small_worlds.share_holders import share_holders
from jaxmpi_lint.analysis.small_worlds.shares import Shares
from jaxmpi_lint.analysis.small_worlds.uneven_loops import UnevenLoop, uneven_loops
from jaxmpi_lint.checks.base import link_steps
from jaxmpi_lint.findings.diagnostics import Confidence, Severity
from jaxmpi_lint.rules.base import Finding, Rule, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Program


class UnevenIteratorDrivesStep(Rule):
    """Loop over a process's own share of the data makes steps of all processes.

    ## What it does
    Reports a loop that ends when the data of the process is used up, if its body makes a step that all processes make
    together: a helper of `multihost_utils`, a compiled function on a global array, a `pmap` with collectives, or a
    function of the project that does so. The data has to be visibly divided by the number of the process
    (`files[process_index::process_count]`, `dataset.shard(count, index)`), and not padded or cut since.

    ## Why is this bad?
    Shares differ in length as soon as the number of processes does not divide the data, and then so does the number of
    passes. A process with one more batch starts a step that the others never join and waits for them; they wait for it
    at the end of the program. Dropping the incomplete last batch does not help: it makes batches equal, not their
    number.

    ## Example
    ```python
    files = sorted(names)[jax.process_index() :: jax.process_count()]
    for name in files:
        batch = jax.make_array_from_process_local_data(sharding, load(name))
        state = train_step(state, batch)
    ```

    ## Use instead
    ```python
    files = sorted(names)[jax.process_index() :: jax.process_count()]
    steps = int(multihost_utils.process_allgather(np.int32(len(files))).min())
    for name in files[:steps]:
        batch = jax.make_array_from_process_local_data(sharding, load(name))
        state = train_step(state, batch)
    ```

    ## How sure
    Medium: whether the number of processes divides the data is not visible. Silent where the program looks at the
    remainder (`len(files) % count`), cuts, pads, concatenates or repeats the share, takes windows instead of every n-th
    element, bounds the loop by `zip` with something else or leaves it by `break` or `return`, and for every loader
    whose division of the data is not visible.

    ## Known misses
    Data divided by other libraries, windows of uneven length, directories with files of each process. Loops over shares
    with collectives of mpi4py are reported as JM108.

    ## References
    JAX documentation, "Introduction to multi-controller JAX": every process runs the same computations in the same
    order. Runtime check: JS503 names the process that has left.
    """

    code = "JM605"
    name = "uneven-iterator-drives-step"
    severity = Severity.WARNING
    sanitizer = ("JS101", "JS102", "JS104", "JS105", "JS109", "JS112", "JS501", "JS503", "JS505")

    def check(self, project: Program) -> Iterator[Finding]:
        """One finding for each loop over a share, and each way on which it is handed to the loop's function."""
        holders = share_holders(project) if has_several_processes(project) else ()
        for module in project.reported_modules() if holders else ():
            for function in module.functions():
                if function.key in holders:
                    yield from self._check(Shares(function), ())

    def _check(self, shares: Shares, calls: tuple[Step, ...]) -> Iterator[Finding]:
        for loop in uneven_loops(shares):
            for bound in loop.calls:
                step = joint_step(shares.function, bound)
                if step is not None:
                    yield self._report(shares, loop, step, calls)
                    break
        if len(calls) < UNEVEN_LOOP_CALLS:
            yield from self._check_callees(shares, calls)

    def _check_callees(self, shares: Shares, calls: tuple[Step, ...]) -> Iterator[Finding]:
        """Functions that are handed a share as an argument."""
        for bound in shares.function.calls_by_callee.get(FunctionReference, ()):
            entity = bound.callee.entity
            if not isinstance(entity, FunctionReference):
                continue
            given = shares.arguments(bound, entity)
            callee = shares.function.project.function(entity.path, entity.qualname) if given else None
            if callee is not None and not callee.ir.is_generator:
                call = Step(shares.function.module, bound.call.span, f"handed to `{callee.ir.name}`")
                yield from self._check(Shares(callee, given), (*calls, call))

    def _report(self, shares: Shares, loop: UnevenLoop, step: JointStep, calls: tuple[Step, ...]) -> Finding:
        module = shares.function.module
        story = link_steps(loop.share.links)
        story += calls
        story.append(Step(module, loop.header, "as many passes as the share of this process has elements"))
        inner = step.inner
        while inner is not None:
            story.append(Step(inner.module, inner.span, f"{inner.what} waits for all processes"))
            inner = inner.inner
        return self.finding(
            module,
            step.span,
            f"{step.what} is made once for each element of this process's share of the data: processes with a longer"
            " share wait here for those that have left the loop",
            steps=tuple(story),
            remedy="agree on the number of steps before the loop: minimum or padded maximum over `process_allgather`",
            confidence=Confidence.MEDIUM,
        )

    VALID = (
        """\
import jax
import numpy as np
from jax.experimental import multihost_utils


def train(step, state, files, sharding):
    mine = files[jax.process_index() :: jax.process_count()]
    steps = int(multihost_utils.process_allgather(np.int32(len(mine))).min())
    for index in range(steps):
        batch = jax.make_array_from_process_local_data(sharding, np.load(mine[index]))
        state = jax.jit(step)(state, batch)
    return state
""",
        """\
import jax
import numpy as np

step = jax.jit(lambda state, batch: state + batch.sum())


def train(state, files, sharding):
    count = jax.process_count()
    if len(files) % count:
        raise ValueError("files do not divide")
    for name in files[jax.process_index() :: count]:
        state = step(state, jax.make_array_from_process_local_data(sharding, np.load(name)))
    return state
""",
    )
    INVALID = (
        """\
import jax
import numpy as np

step = jax.jit(lambda state, batch: state + batch.sum())


def train(state, files, sharding):
    for name in files[jax.process_index() :: jax.process_count()]:
        batch = jax.make_array_from_process_local_data(sharding, np.load(name))
        state = step(state, batch)  #! JM605
    return state
""",
        """\
import jax
from jax.experimental import multihost_utils


def report(value):
    total = multihost_utils.process_allgather(value)
    print(total.sum())


def run(items):
    own = sorted(items)[jax.process_index() :: jax.process_count()]
    for position in range(len(own)):
        report(own[position])  #! JM605
""",
    )
