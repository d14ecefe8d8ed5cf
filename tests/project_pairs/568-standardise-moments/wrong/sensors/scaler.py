import jax.numpy as jnp

from .collective import mean_of_rows


class StandardScaler:
    """Zero mean and unit variance for every feature."""

    def __init__(self, comm, floor=1e-6):
        self.comm = comm
        self.floor = floor
        self.mean = None
        self.scale = None

    def fit(self, x):
        x = jnp.asarray(x)
        self.mean = mean_of_rows(x, self.comm)
        variance = jnp.mean((x - self.mean) ** 2, axis=0)
        self.scale = jnp.sqrt(jnp.maximum(variance, self.floor))
        return self

    def transform(self, x):
        return (jnp.asarray(x) - self.mean) / self.scale

    def inverse(self, z):
        return z * self.scale + self.mean
