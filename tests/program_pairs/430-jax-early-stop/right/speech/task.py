import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P


class Task:
    """frame classification, features are random projections"""

    def __init__(self, dim=6, frames=48):
        self.mesh = Mesh(np.array(jax.devices()), ("b",))
        self.rows = NamedSharding(self.mesh, P("b"))
        self.dim, self.frames = dim, frames
        self.truth = np.random.default_rng(2).normal(size=dim).astype(np.float32)

    def _draw(self, rng, n):
        x = rng.normal(size=(n, self.dim)).astype(np.float32)
        y = (x @ self.truth + rng.normal(size=n) > 0).astype(np.float32)
        return x, y

    def train_batch(self, step):
        x, y = self._draw(np.random.default_rng([step, jax.process_index()]), self.frames)
        return (jax.make_array_from_process_local_data(self.rows, x),
                jax.make_array_from_process_local_data(self.rows, y))

    def local_validation(self):
        """each process validates on its own speakers"""
        return self._draw(np.random.default_rng([999, jax.process_index()]),
                          40 + 200 * jax.process_index())

    def weights(self):
        return jax.device_put(np.zeros(self.dim, np.float32), NamedSharding(self.mesh, P()))


def bce(w, x, y):
    z = x @ w
    return jnp.mean(jnp.logaddexp(0.0, z) - y * z)


@jax.jit
def sgd(w, x, y, lr):
    return w - lr * jax.grad(bce)(w, x, y)
