"""JM623: sums over the devices of all processes that are divided by the number of those of one."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class AverageOverOwnDevices(Rule):
    """Division of a sum over all devices by the number of the own ones.

    ## What it does
    Reports a `jax.lax.psum` over the devices of all processes, in `shard_map` or `pmap`, that is divided by
    `jax.local_device_count()` or `len(jax.local_devices())`.

    ## Why is this bad?
    The number is that of one process. With one process the result is the mean; with several ones it is too large by
    their number: gradients, losses and moments are wrong without any message.

    ## Example
    ```python
    gradient = jax.lax.psum(gradient, "devices") / jax.local_device_count()
    ```

    ## Use instead
    ```python
    gradient = jax.lax.pmean(gradient, "devices")
    ```

    ## Confidence
    Medium. Silent for sums of constants, which count the devices, for axes that are not all of the mesh, and where the
    result is divided by the number of processes too.

    ## Known false negatives
    Other divisors, such as the number of rows of one process; `jnp.divide` and `jnp.true_divide`; sums of global
    arrays. Functions that no script of the project calls.

    ## References
    JAX documentation, `jax.local_device_count` and `jax.lax.psum`.
    """

    code = "JM623"
    name = "average-over-own-devices"
    severity = Severity.WARNING
    in_tests = Severity.WARNING

    VALID = (
        """
        import jax
        import numpy as np
        from functools import partial


        @partial(jax.pmap, axis_name="devices")
        def step(weights, x):
            gradient = jax.lax.psum(weights * x, "devices") / jax.device_count()
            processes = jax.lax.psum(1, "devices") / jax.local_device_count()
            return weights - gradient, processes


        jax.distributed.initialize()
        x = np.full((jax.local_device_count(), 4), jax.process_index())
        print(step(x, x))
        """,
        """
        import jax
        import numpy as np
        from jax.sharding import Mesh, NamedSharding, PartitionSpec as P


        def average(x):
            return jax.lax.psum(x.mean(), "rows") / jax.local_device_count()


        jax.distributed.initialize()
        own = Mesh(np.array(jax.local_devices()), ("rows",))
        x = jax.device_put(np.ones(16), NamedSharding(own, P("rows")))
        print(jax.jit(jax.shard_map(average, mesh=own, in_specs=P("rows"), out_specs=P()))(x))
        """,
    )
    INVALID = (
        """
        import jax
        import numpy as np
        from functools import partial


        @partial(jax.pmap, axis_name="devices")
        def step(weights, x):
            gradient = jax.lax.psum(weights * x, "devices") / jax.local_device_count()  #! JM623
            return weights - gradient


        jax.distributed.initialize()
        x = np.full((jax.local_device_count(), 4), jax.process_index())
        print(step(x, x))
        """,
        """
        import jax
        import numpy as np
        from jax.sharding import NamedSharding, PartitionSpec as P

        jax.distributed.initialize()
        mesh = jax.make_mesh((jax.device_count(),), ("rows",))


        def moments(x):
            sums = jax.lax.psum({"first": x.mean(), "second": (x**2).mean()}, "rows")
            count = len(jax.local_devices())
            return jax.tree.map(lambda total: total / count, sums)  #! JM623


        x = jax.make_array_from_process_local_data(NamedSharding(mesh, P("rows")), np.ones(8) * jax.process_index())
        print(jax.jit(jax.shard_map(moments, mesh=mesh, in_specs=P("rows"), out_specs=P()))(x))
        """,
    )
