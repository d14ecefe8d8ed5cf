"""JM605: a loop over a process's own share of the data drives steps of all processes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.findings.diagnostics import Severity

if TYPE_CHECKING:
    pass
from jaxmpi_lint.checks.base import in_project
from jaxmpi_lint.checks.jax.uneven_steps import uneven_steps
from jaxmpi_lint.rules.base import CheckRule


class UnevenIteratorDrivesStep(CheckRule):
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

    ## Confidence
    Medium: whether the number of processes divides the data is not visible. Silent where the program looks at the
    remainder (`len(files) % count`), cuts, pads, concatenates or repeats the share, takes windows instead of every n-th
    element, bounds the loop by `zip` with something else or leaves it by `break` or `return`, and for every loader
    whose division of the data is not visible.

    ## Known false negatives
    Data divided by other libraries, windows of uneven length, directories with files of each process. Loops over shares
    with collectives of mpi4py are reported as JM108.

    ## References
    JAX documentation, "Introduction to multi-controller JAX": every process runs the same computations in the same
    order. Runtime check: JS503 names the process that has left.
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
        "{d.step.what} is made once for each element of this process's share of the data: processes with a longer"
        " share wait here for those that have left the loop"
    )
    remedy = "agree on the number of steps before the loop: minimum or padded maximum over `process_allgather`"

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
