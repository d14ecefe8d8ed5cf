import os

import jax
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P


def start():
    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(
        coordinator_address=os.environ.get("COORDINATOR", "127.0.0.1:29700"),
        num_processes=int(os.environ.get("NUM_PROCESSES", "2")),
        process_id=int(os.environ.get("PROCESS_ID", "0")))


def chief():
    return jax.process_index() == 0


class Layout:
    """Hidden units are split over the devices of all processes."""

    def __init__(self):
        self.mesh = Mesh(np.array(jax.devices()), ("unit",))

    def place(self, array, *spec):
        sharding = NamedSharding(self.mesh, P(*spec))
        return jax.make_array_from_callback(array.shape, sharding, lambda index: array[index])

    def fetch(self, tree):
        """Whole arrays on the host."""
        return jax.tree.map(lambda a: np.asarray(multihost_utils.process_allgather(a, tiled=True)), tree)
