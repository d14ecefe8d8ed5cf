import os

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

COORDINATOR = "localhost:13481"


class Cluster:
    """The processes of this run and the mesh over their devices."""

    def __init__(self):
        jax.config.update("jax_cpu_collectives_implementation", "gloo")
        jax.distributed.initialize(
            COORDINATOR,
            num_processes=int(os.environ["OMPI_COMM_WORLD_SIZE"]),
            process_id=int(os.environ["OMPI_COMM_WORLD_RANK"]),
        )
        self.index = jax.process_index()
        self.count = jax.process_count()
        self.mesh = Mesh(np.array(jax.devices()), ("data",))
        self.rows = NamedSharding(self.mesh, P("data"))
        self.everywhere = NamedSharding(self.mesh, P())

    @property
    def is_chief(self):
        return self.index == 0

    def replicate(self, tree):
        """Global arrays from host values that every process holds."""
        return jax.tree.map(
            lambda x: jax.make_array_from_process_local_data(self.everywhere, np.asarray(x)), tree)

    def stack_rows(self, local):
        """One global batch from the rows of each process."""
        return jax.make_array_from_process_local_data(self.rows, local)

    def from_chief(self, tree):
        return multihost_utils.broadcast_one_to_all(tree)

    def say(self, text):
        if self.is_chief:
            print(text, flush=True)

    def close(self):
        jax.distributed.shutdown()
