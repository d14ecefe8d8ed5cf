"""JM625: callbacks that take positions in the whole array for positions in the own part."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class CallbackOfOwnBlock(Rule):
    """Callback that has no elements for a shard.

    ## What it does
    Reports `jax.make_array_from_callback` with a function that returns an array without elements for the shard of a
    process, since it cuts the index out of a block that holds only the elements of that process.

    ## Why is this bad?
    The index is the position of the shard in the whole array. Every process but the first asks beyond the end of its
    block, and JAX raises `ValueError` there while the first process waits. With one process the block is the array.

    ## Example
    ```python
    block = planes(first, first + rows)
    field = jax.make_array_from_callback(shape, sharding, lambda index: block[index])
    ```

    ## Use instead
    ```python
    block = planes(first, first + rows)
    field = jax.make_array_from_process_local_data(sharding, block)
    ```

    ## Confidence
    High. Only for arrays of known shape of which one dimension is divided over a mesh with one axis of all devices.

    ## Known false negatives
    Meshes with several axes; blocks of unknown shape, or with elements for a part of the shard. Functions that no
    script of the project calls.

    ## References
    JAX documentation, `jax.make_array_from_callback`: the callback takes indices of the global array value.
    """

    code = "JM625"
    name = "callback-of-own-block"
    severity = Severity.ERROR
    in_tests = Severity.WARNING

    VALID = (
        """
        import jax
        import numpy as np
        from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

        jax.distributed.initialize()
        rows = NamedSharding(Mesh(np.array(jax.devices()), ("rows",)), P("rows"))
        each = 24 // jax.process_count()
        first = jax.process_index() * each
        block = np.arange(first, first + each, dtype=float)
        whole = np.arange(24.0)

        def own(index):
            return block[index[0].start - first : index[0].stop - first]

        x = jax.make_array_from_callback((24,), rows, own)
        y = jax.make_array_from_callback((24,), rows, lambda index: whole[index])
        print(x, y)
        """,
    )
    INVALID = (
        """
        import jax
        import numpy as np
        from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

        jax.distributed.initialize()
        rows = NamedSharding(Mesh(np.array(jax.devices()), ("rows",)), P("rows"))
        each = 24 // jax.process_count()
        first = jax.process_index() * each
        block = np.arange(first, first + each, dtype=float)
        x = jax.make_array_from_callback((24,), rows, lambda index: block[index])  #! JM625
        print(x)
        """,
    )
