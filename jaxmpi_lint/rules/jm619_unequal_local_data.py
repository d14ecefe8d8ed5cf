"""JM619: global arrays made of parts whose shapes differ between processes."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.jax.unequal_local_data import unequal_parts
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class UnequalLocalData(CheckRule):
    """Global array made of parts whose shapes differ between processes.

    ## What it does
    Reports `jax.make_array_from_process_local_data` without `global_shape` for data whose shape is a matter of each
    process: every n-th element of a table, parts of `numpy.array_split`, and arrays that are padded to the longest
    entry that the process itself has. Functions that hand the data on are looked into.

    ## Why is this bad?
    Each process infers the global shape from its own part. With unequal parts they infer different arrays, and nothing
    says so: a reduction returns a number, an `all_gather` ends in a crash or in memory that was never written.

    ## Example
    ```python
    own = texts[jax.process_index() :: jax.process_count()]
    longest = max(len(text) for text in own)
    tokens = np.zeros((batch, longest), np.int32)
    tokens = jax.make_array_from_process_local_data(sharding, tokens)
    ```

    ## Use instead
    ```python
    own = texts[jax.process_index() :: jax.process_count()]
    longest = max(len(text) for text in own)
    longest = int(multihost_utils.process_allgather(np.int32(longest)).max())
    tokens = np.zeros((batch, longest), np.int32)
    tokens = jax.make_array_from_process_local_data(sharding, tokens)
    ```

    ## Confidence
    Medium: the parts may happen to be equal. Silent where the maximum went through a collective, where the remainder of
    a division by the number of processes is looked at, cut off or filled up, where the array is cut or padded to a
    number that is not the process's own, with `global_shape`, and for data of unknown origin.

    ## Known false negatives
    Batches that a loader yields, data in dictionaries and fields, `jax.tree.map` over a batch; lengths that are
    calculated from the rank.

    ## References
    JAX documentation, `jax.make_array_from_process_local_data`: without `global_shape` the shape follows from the local
    data, of which every process has to have as much.
    """

    code = "JM619"
    name = "unequal-local-data"
    severity = Severity.WARNING
    sanitizer = ("JS505",)
    detect = in_functions(unequal_parts)
    message = "each process infers the shape of the global array from its own part, and the parts may differ in shape"
    remedy = "pad to the maximum of all processes (`process_allgather`), so that the parts are equal"

    VALID = (
        """
        import jax
        import numpy as np
        from jax.experimental import multihost_utils

        def tokens(texts, sharding, batch):
            own = texts[jax.process_index() :: jax.process_count()]
            longest = max(len(text) for text in own)
            longest = int(multihost_utils.process_allgather(np.int32(longest)).max())
            padded = np.zeros((batch, longest), np.int32)
            return jax.make_array_from_process_local_data(sharding, padded)
        """,
        """
        import jax
        import numpy as np

        def tokens(texts, sharding, batch):
            own = texts[jax.process_index() :: jax.process_count()]
            padded = np.zeros((batch, 512), np.int32)
            for row, text in zip(padded, own):
                row[: len(text)] = text
            return jax.make_array_from_process_local_data(sharding, padded)
        """,
    )
    INVALID = (
        """
        import jax
        import numpy as np

        def tokens(texts, sharding, batch):
            own = texts[jax.process_index() :: jax.process_count()]
            longest = max(len(text) for text in own)
            padded = np.zeros((batch, longest), np.int32)
            for row, text in zip(padded, own):
                row[: len(text)] = text
            return jax.make_array_from_process_local_data(sharding, padded)  #! JM619
        """,
        """
        import jax
        import numpy as np

        index, count = jax.process_index(), jax.process_count()

        def part(table):
            return np.array_split(table, count)[index]

        def load(table, sharding):
            return jax.make_array_from_process_local_data(sharding, part(table).astype(np.float32))  #! JM619
        """,
    )
