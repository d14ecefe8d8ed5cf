import jax
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec as P

from .dist import AXIS


class SineData:
    """Synthetic batches; every process makes the rows that it feeds."""

    def __init__(self, cfg, mesh):
        if cfg.batch % mesh.devices.size:
            raise ValueError("the batch has to divide over the devices")
        self.cfg = cfg
        self.sharding = NamedSharding(mesh, P(AXIS))
        self.rows = cfg.batch // jax.process_count()

    def batches(self, epoch):
        rng = np.random.default_rng([self.cfg.seed, epoch])
        lo = jax.process_index() * self.rows
        for _ in range(self.cfg.steps_per_epoch):
            x = rng.uniform(-2.0, 2.0, (self.cfg.batch, 2)).astype(np.float32)
            y = np.sin(x[:, :1]) * x[:, 1:]
            mine = slice(lo, lo + self.rows)
            yield tuple(jax.make_array_from_process_local_data(self.sharding, a[mine])
                        for a in (x, y))
