"""JM605: loop over local data of uneven length that executes collective steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.findings.diagnostics import Severity

if TYPE_CHECKING:
    pass
from jaxmpi_lint.checks.base import in_project
from jaxmpi_lint.checks.jax.uneven_steps import uneven_steps
from jaxmpi_lint.rules.base import CheckRule


class UnevenIteratorDrivesStep(CheckRule):
    """Collective step in a loop over local data of uneven length.

    ## What it does
    Reports a loop over the local data of each process whose body executes a step that all processes must execute
    together: a helper of `multihost_utils`, a compiled function on a global array, a `pmap` with collectives, or a
    function of the project that does so. The data must be provably split by process index
    (`files[process_index::process_count]`, `dataset.shard(count, index)`), and neither padded nor truncated afterwards.

    ## Why is this bad?
    If the number of processes does not divide the data, the local lengths differ, and so do the trip counts. A process
    with one more batch starts a step that the others never execute, and blocks there; the others wait for it at the end
    of the program. Dropping the incomplete last batch does not help: it makes the batches equally large, but not
    equally many.

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

    ## Confidence
    Medium: it is not statically known whether the number of processes divides the data. Silent where the program tests
    the remainder (`len(files) % count`), truncates, pads, concatenates or repeats the local data, truncates or repeats
    the whole data before, takes windows instead of every n-th element, bounds the loop by `zip` with something else or
    exits it by `break` or `return`, and for every loader that is not known to split the data.

    ## Known false negatives
    Data split by other libraries; windows of uneven length; per-process directories of files. Loops over local data
    with mpi4py collectives are reported as JM108.

    ## References
    JAX documentation, "Introduction to multi-controller JAX": every process runs the same computations in the same
    order. Runtime checks: JS503 names the process that exited early; JS501 and JS505 report launches and arguments of
    helpers that do not match.
    """

    code = "JM605"
    name = "uneven-iterator-drives-step"
    severity = Severity.WARNING
    replaces = (
        "JM10",
        "JM505",
        "JM615",
    )
    sanitizer = ("JS101", "JS102", "JS104", "JS105", "JS109", "JS112", "JS501", "JS503", "JS505")
    detect = in_project(uneven_steps)
    message = (
        "{d.step.what} runs once per local element: processes with more elements block here after the others have"
        " left the loop"
    )
    remedy = "run the same number of steps on every process: minimum, or maximum with padding, over `process_allgather`"

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
