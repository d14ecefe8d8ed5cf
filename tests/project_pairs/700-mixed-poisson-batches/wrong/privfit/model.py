import jax
import jax.numpy as jnp
import numpy as np


class ClippedModel:
    """Logistic model whose gradients are clipped record by record."""

    def __init__(self, cfg):
        self.cfg = cfg

        def record_loss(w, x, y):
            z = x @ w
            return jnp.logaddexp(0.0, z) - y * z

        def clipped_sum(w, x, y, mask):
            g = jax.vmap(jax.grad(record_loss), (None, 0, 0))(w, x, y)
            norm = jnp.sqrt((g ** 2).sum(axis=1) + 1e-12)
            scale = mask * jnp.minimum(1.0, cfg.clip / norm)
            return (scale[:, None] * g).sum(axis=0)
        self.clipped_sum = jax.jit(clipped_sum)

    def start(self):
        return np.zeros(self.cfg.features)

    @staticmethod
    def mistakes(w, x, y):
        return int(((x @ w > 0) != (y > 0.5)).sum())
