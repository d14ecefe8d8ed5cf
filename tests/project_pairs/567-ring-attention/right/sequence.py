import jax
import jax.numpy as jnp


class Sequence:
    """A random sequence and the projections of every layer."""

    def __init__(self, length, width, rank, size, seed=3):
        if length % size:
            raise ValueError(f"length {length} does not divide over {size} ranks")
        self.length = length
        self.width = width
        self.block = length // size
        self.rank = rank
        self.key = jax.random.key(seed)

    def everything(self):
        return jax.random.normal(self.key, (self.length, self.width))

    def cut(self, x):
        return x[self.rank * self.block:(self.rank + 1) * self.block]

    def local(self):
        return self.cut(self.everything())

    def project(self, layer, x):
        keys = jax.random.split(jax.random.fold_in(self.key, layer + 1), 3)
        scale = self.width ** -0.5
        return tuple(x @ (scale * jax.random.normal(k, (self.width, self.width))) for k in keys)
