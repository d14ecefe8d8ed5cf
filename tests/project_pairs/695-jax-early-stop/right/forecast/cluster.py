"""Everything that knows about processes and devices."""
import jax
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P


class Cluster:
    def __init__(self, coordinator, count, index):
        jax.config.update("jax_platforms", "cpu")
        if count > 1:
            jax.config.update("jax_cpu_collectives_implementation", "gloo")
            jax.distributed.initialize(coordinator, num_processes=count, process_id=index)
        self.count, self.index = jax.process_count(), jax.process_index()
        self.first = self.index == 0
        mesh = Mesh(np.array(jax.devices()), ("d",))
        self.rows = NamedSharding(mesh, P("d"))
        self.same = NamedSharding(mesh, P())

    def share(self, n):
        """Own part of n equally divided rows."""
        if n % self.count:
            raise ValueError(f"{n} rows do not divide over {self.count} processes")
        part = n // self.count
        return slice(self.index * part, (self.index + 1) * part)

    def feed(self, local):
        return jax.make_array_from_process_local_data(self.rows, local)

    def replicate(self, value):
        value = np.asarray(value)
        return jax.make_array_from_callback(value.shape, self.same, lambda i: value[i])

    def local(self, array):
        """The rows of a global array that lie on this process."""
        shards = sorted(array.addressable_shards, key=lambda s: s.index[0].start or 0)
        return np.concatenate([np.asarray(s.data) for s in shards])

    def rows_of_all(self, array):
        """All rows of a global array as numpy, on each process."""
        mine = self.local(array)
        if self.count == 1:
            return mine
        return multihost_utils.process_allgather(mine, tiled=True)

    def close(self):
        if self.count > 1:
            multihost_utils.sync_global_devices("close")
            jax.distributed.shutdown()
