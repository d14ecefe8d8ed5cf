"""Feature maps; the factory picks one by name."""
from abc import ABC, abstractmethod

import jax.numpy as jnp
import numpy as np


class FeatureMap(ABC):
    @abstractmethod
    def parameters(self):
        """Arrays that ``transform`` wants as its first argument."""

    @staticmethod
    @abstractmethod
    def transform(params, x):
        ...


class RandomFourier(FeatureMap):
    """Approximates a Gaussian kernel of length ``scale``."""

    def __init__(self, context, ndim, nfeatures, scale):
        rng = context.common_rng
        self.freq = context.replicate(rng.normal(size=(ndim, nfeatures)) / scale)
        self.phase = context.replicate(rng.uniform(0.0, 2.0 * np.pi, nfeatures))

    def parameters(self):
        return self.freq, self.phase

    @staticmethod
    def transform(params, x):
        freq, phase = params
        return jnp.sqrt(2.0 / freq.shape[1]) * jnp.cos(x @ freq + phase)


class Linear(FeatureMap):
    def __init__(self, context, ndim, **_):
        self.ndim = ndim

    def parameters(self):
        return ()

    @staticmethod
    def transform(params, x):
        return jnp.concatenate([jnp.ones_like(x[:, :1]), x], axis=1)


KINDS = {"fourier": RandomFourier, "linear": Linear}


def make_features(kind, context, ndim, **options):
    return KINDS[kind](context, ndim, **options)
