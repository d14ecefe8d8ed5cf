"""JM619: global arrays assembled from local data of unequal shapes."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.jax.unequal_local_data import unequal_parts
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class UnequalLocalData(CheckRule):
    """Global array assembled from local data of unequal shapes.

    ## What it does
    Reports `jax.make_array_from_process_local_data` without `global_shape` for data whose shape depends on the process:
    every n-th element of a table, parts of `numpy.array_split`, and arrays that are padded to the longest local entry.
    Functions that pass the data on are followed.

    ## Why is this bad?
    Each process infers the global shape from its local data. With unequal local shapes, the processes silently infer
    different global shapes: a reduction returns a wrong number, an `all_gather` crashes or returns uninitialised
    memory.

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
    Medium: the local shapes may happen to be equal. Silent where the maximum is the result of a collective, where the
    remainder of a division by the number of processes is tested, truncated or padded, where the array is truncated or
    padded to a length that does not depend on the process, with `global_shape`, and for data of unknown origin.

    ## Known false negatives
    Batches that a loader yields; data in dictionaries and attributes; `jax.tree.map` over a batch; lengths computed
    from the process index.

    ## References
    JAX documentation, `jax.make_array_from_process_local_data`: without `global_shape`, the shape is inferred from the
    local data, whose shape must be equal on every process.
    """

    code = "JM619"
    name = "unequal-local-data"
    severity = Severity.WARNING
    sanitizer = ("JS505",)
    detect = in_functions(unequal_parts)
    message = (
        "each process infers the global shape from its local data, and the local shapes may differ between processes"
    )
    remedy = "pad the local data to the maximum over all processes (`process_allgather`)"

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
