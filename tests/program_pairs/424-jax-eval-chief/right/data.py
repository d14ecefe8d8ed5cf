import jax
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec as P


class Spirals:
    def __init__(self, mesh, n_per_process=96, classes=3):
        self.mesh = mesh
        self.n = n_per_process
        self.classes = classes

    def _draw(self, seed):
        rng = np.random.default_rng([seed, jax.process_index()])
        y = rng.integers(self.classes, size=self.n)
        r = rng.uniform(0.1, 1, size=self.n)
        t = 4 * r + 2 * np.pi * y / self.classes + 0.1 * rng.normal(size=self.n)
        return np.stack([r * np.cos(t), r * np.sin(t)], 1).astype(np.float32), y.astype(np.int32)

    def _global(self, *arrays):
        sh = NamedSharding(self.mesh, P("dp"))
        return tuple(jax.make_array_from_process_local_data(sh, a) for a in arrays)

    def train(self, step):
        return self._global(*self._draw(10 + step))

    def validation(self):
        return self._global(*self._draw(1))
