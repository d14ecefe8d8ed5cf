import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P


class Feeder:
    """Turns the batches of the processes into global device arrays."""

    def __init__(self, dataset, sampler, local_batch):
        self.dataset = dataset
        self.sampler = sampler
        self.local_batch = local_batch
        self.mesh = Mesh(np.array(jax.devices()), ("data",))
        self.split = NamedSharding(self.mesh, P("data"))
        self.replicated = NamedSharding(self.mesh, P())

    def epoch(self, number):
        for idx in self.sampler.batches(number, self.local_batch):
            yield tuple(jax.make_array_from_process_local_data(self.split, a) for a in self.dataset.take(idx))

    def replicate(self, tree):
        put = lambda a: jax.make_array_from_process_local_data(self.replicated, np.asarray(a))
        return jax.tree.map(put, tree)
