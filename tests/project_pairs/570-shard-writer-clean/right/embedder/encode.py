import jax
import jax.numpy as jnp
import numpy as np


def bag(document, buckets):
    rng = np.random.default_rng(document)
    words = rng.zipf(1.7, size=80) % buckets
    return np.bincount(words, minlength=buckets).astype(np.float32)


class Projection:
    """Log counts times a fixed matrix, scaled to unit length."""

    def __init__(self, width, buckets=64, seed=23):
        self.buckets = buckets
        self.matrix = jax.random.normal(jax.random.key(seed), (buckets, width))
        self._apply = jax.jit(self._project)

    def _project(self, counts):
        out = jnp.log1p(counts) @ self.matrix
        return out / (1e-6 + jnp.linalg.norm(out, axis=1, keepdims=True))

    def __call__(self, documents):
        return self._apply(np.stack([bag(d, self.buckets) for d in documents]))
