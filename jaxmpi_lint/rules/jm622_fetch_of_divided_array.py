"""JM622: copy of an array to one host that lies on several."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class FetchOfDividedArray(Rule):
    """Copy of a divided array to the host.

    ## What it does
    Reports `numpy.asarray`, `numpy.array`, `jax.device_get`, `.item()` and `.tolist()` of a JAX array whose sharding
    divides it among the devices of all processes.

    ## Why is this bad?
    A process has its own shards only. The call raises `RuntimeError`: the array spans devices that are not addressable.
    Where one process alone makes it, as for a plot, the others wait for that process.

    ## Example
    ```python
    labels = jax.make_array_from_process_local_data(NamedSharding(mesh, P("batch")), local)
    if jax.process_index() == 0:
        print(np.asarray(labels))
    ```

    ## Use instead
    ```python
    labels = jax.make_array_from_process_local_data(NamedSharding(mesh, P("batch")), local)
    everything = multihost_utils.process_allgather(labels, tiled=True)
    if jax.process_index() == 0:
        print(everything)
    ```

    ## Confidence
    High: the mesh has the devices of all processes, and the sharding names all of its axes. Silent for replicated
    arrays (`P()`), which every process has, and for results of compiled functions.

    ## Known false negatives
    Results of compiled functions and of `jax.numpy`, whose sharding JAX decides; meshes with an axis that the sharding
    does not name, which may have one device. Functions that no script of the project calls.

    ## References
    JAX documentation, `jax.Array.is_fully_addressable` and `multihost_utils.process_allgather`.
    """

    code = "JM622"
    name = "fetch-of-divided-array"
    severity = Severity.ERROR
    in_tests = Severity.WARNING

    VALID = (
        """
        import jax
        import numpy as np
        from jax.experimental import multihost_utils
        from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

        jax.distributed.initialize()
        mesh = Mesh(np.array(jax.devices()), ("batch",))
        x = jax.make_array_from_process_local_data(NamedSharding(mesh, P("batch")), np.ones(4) * jax.process_index())
        weights = jax.device_put(np.zeros(3), NamedSharding(mesh, P()))
        everything = multihost_utils.process_allgather(x, tiled=True)
        print(np.asarray(everything), np.asarray(weights), [np.asarray(one.data) for one in x.addressable_shards])
        if jax.process_count() == 1:
            print(np.asarray(x))
        """,
        """
        import jax
        import numpy as np
        from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

        jax.distributed.initialize()
        own = Mesh(np.array(jax.local_devices()), ("batch",))
        x = jax.device_put(np.ones(4), NamedSharding(own, P("batch")))
        print(np.asarray(x), x.tolist())
        """,
    )
    INVALID = (
        """
        import jax
        import numpy as np
        from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

        jax.distributed.initialize()
        mesh = Mesh(np.array(jax.devices()), ("batch",))
        rows = NamedSharding(mesh, P("batch"))


        def place(values):
            return jax.make_array_from_process_local_data(rows, values), len(values)


        x, count = place(np.ones(4) * jax.process_index())
        if jax.process_index() == 0:
            print(np.asarray(x), count)  #! JM622
        """,
        """
        import jax
        import numpy as np
        from jax.sharding import NamedSharding, PartitionSpec as P

        jax.distributed.initialize()
        mesh = jax.make_mesh((jax.device_count(),), ("data",))
        x = jax.device_put(np.arange(16.0), NamedSharding(mesh, P("data")))
        print(x.tolist())  #! JM622
        """,
    )
