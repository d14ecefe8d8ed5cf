import os

import jax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P


class Cluster:
    """The job's processes, its mesh, and the way of the data onto it."""

    def __init__(self, coordinator):
        jax.config.update("jax_cpu_collectives_implementation", "gloo")
        jax.distributed.initialize(
            coordinator_address=coordinator,
            num_processes=int(os.environ["OMPI_COMM_WORLD_SIZE"]),
            process_id=int(os.environ["OMPI_COMM_WORLD_RANK"]),
        )
        self.index = jax.process_index()
        self.count = jax.process_count()
        self.mesh = jax.make_mesh((jax.device_count(),), ("rows",), axis_types=(AxisType.Auto,))

    def sharding(self, *axes):
        return NamedSharding(self.mesh, P(*axes))

    def say(self, text):
        if self.index == 0:
            print(text, flush=True)

    def local_slice(self, rows):
        """Rows of a batch that belong to this process."""
        if rows % self.count:
            raise ValueError(f"batch of {rows} rows over {self.count} processes")
        share = rows // self.count
        return slice(self.index * share, (self.index + 1) * share)

    def _place(self, array):
        return jax.make_array_from_process_local_data(self.sharding("rows"), array)

    def feed(self, batches):
        for batch in batches:
            mine = self.local_slice(len(batch[0]))
            yield tuple(self._place(a[mine]) for a in batch)
