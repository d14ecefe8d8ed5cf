import os

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

PORT = 13482


class Context:
    """Process information, the device mesh, and random generators.

    ``rng`` gives every process its own stream, ``common_rng`` is the same
    stream on all of them.
    """

    def __init__(self, seed):
        jax.config.update("jax_cpu_collectives_implementation", "gloo")
        size = int(os.environ["OMPI_COMM_WORLD_SIZE"])
        rank = int(os.environ["OMPI_COMM_WORLD_RANK"])
        jax.distributed.initialize(f"localhost:{PORT}", size, rank)
        self.rank = jax.process_index()
        self.size = jax.process_count()
        self.mesh = Mesh(np.array(jax.devices()), ("rows",))
        self.rng = np.random.default_rng([seed, self.rank + 1])
        self.common_rng = np.random.default_rng([seed, 0])

    def distribute(self, local_rows):
        return jax.make_array_from_process_local_data(
            NamedSharding(self.mesh, P("rows")), np.asarray(local_rows, np.float32))

    def replicate(self, value):
        return jax.make_array_from_process_local_data(
            NamedSharding(self.mesh, P()), np.asarray(value, np.float32))

    def finish(self):
        jax.distributed.shutdown()
