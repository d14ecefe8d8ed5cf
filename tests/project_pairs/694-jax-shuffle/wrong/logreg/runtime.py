"""Start and end of the distributed session, and arrays over all devices."""
from contextlib import contextmanager
from dataclasses import dataclass

import jax
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P


@dataclass
class Runtime:
    index: int
    count: int
    mesh: Mesh

    @property
    def split(self):
        return NamedSharding(self.mesh, P("data"))

    @property
    def whole(self):
        return NamedSharding(self.mesh, P())

    def batch(self, *local):
        return tuple(jax.make_array_from_process_local_data(self.split, x) for x in local)

    def collect(self, x):
        """Rows of all processes, in the order of the processes."""
        if self.count == 1:
            return np.asarray(x)
        return multihost_utils.process_allgather(np.asarray(x), tiled=True)


@contextmanager
def session(coordinator, count, index):
    jax.config.update("jax_platforms", "cpu")
    if count > 1:
        jax.config.update("jax_cpu_collectives_implementation", "gloo")
        jax.distributed.initialize(coordinator, num_processes=count, process_id=index)
    yield Runtime(jax.process_index(), jax.process_count(),
                  Mesh(np.array(jax.devices()), ("data",)))
    if count > 1:
        multihost_utils.sync_global_devices("end")
        jax.distributed.shutdown()
