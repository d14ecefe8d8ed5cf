"""JM624: broadcasts of JAX with several sources."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class SourcesOfBroadcast(Rule):
    """Broadcast with several sources.

    ## What it does
    Reports `multihost_utils.broadcast_one_to_all` with an `is_source` that is true on several processes, or that each
    process decides by its own files, draws or times.

    ## Why is this bad?
    The function adds up what the sources pass. With two sources all processes receive twice the value, or the sum of
    two different ones, and zeros without any source; there is no message. That a process finds its file says nothing
    about the others.

    ## Example
    ```python
    state, found = restore(own_folder)
    state = multihost_utils.broadcast_one_to_all(state, is_source=found)
    ```

    ## Use instead
    ```python
    state, found = restore(own_folder)
    every = multihost_utils.process_allgather(np.array(found))
    source = int(np.argmax(every))
    state = multihost_utils.broadcast_one_to_all(state, is_source=jax.process_index() == source)
    ```

    ## Confidence
    Medium. Silent where a test compares an own value with one that all processes have, as the process with the best
    result does.

    ## Known false negatives
    Broadcasts that have no source with constants and process numbers. Functions that no script of the project calls.

    ## References
    JAX source, `jax.experimental.multihost_utils.broadcast_one_to_all`: processes that are not the source pass zeros to
    a sum.
    """

    code = "JM624"
    name = "sources-of-broadcast"
    severity = Severity.WARNING
    in_tests = Severity.WARNING

    VALID = (
        """
        import jax
        import numpy as np
        from jax.experimental import multihost_utils

        jax.distributed.initialize()
        last = jax.process_index() == jax.process_count() - 1
        x = multihost_utils.broadcast_one_to_all(np.full(3, jax.process_index()), is_source=last)
        y = multihost_utils.broadcast_one_to_all(np.full(3, jax.process_index()))
        print(x, y)
        """,
        """
        import jax
        import numpy as np
        from jax.experimental import multihost_utils

        jax.distributed.initialize()
        loss = np.random.default_rng().random()
        losses = multihost_utils.process_allgather(np.array(loss))
        best = multihost_utils.broadcast_one_to_all(np.full(3, loss), is_source=bool(loss == losses.min()))
        print(best)
        """,
    )
    INVALID = (
        """
        import jax
        import numpy as np
        from jax.experimental import multihost_utils

        jax.distributed.initialize()
        x = multihost_utils.broadcast_one_to_all(np.full(3, jax.process_index()), is_source=True)  #! JM624
        print(x)
        """,
        """
        import os

        import jax
        import numpy as np
        from jax.experimental import multihost_utils


        def resume(path):
            found = os.path.exists(path)
            state = np.load(path) if found else np.zeros(3)
            return multihost_utils.broadcast_one_to_all(state, is_source=found)  #! JM624


        jax.distributed.initialize()
        print(resume(f"/tmp/state{jax.process_index()}.npy"))
        """,
    )
