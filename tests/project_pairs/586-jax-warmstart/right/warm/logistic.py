import jax
import jax.numpy as jnp
import numpy as np

from .cluster import shard_rows


def dataset(config, flip):
    rng = np.random.default_rng(config.seed)
    x = rng.normal(size=(config.rows, config.features)).astype("f4")
    y = (x @ rng.normal(size=config.features) > 0).astype("f4")
    noisy = rng.uniform(size=config.rows) < flip
    return shard_rows(x), shard_rows(np.where(noisy, 1 - y, y).astype("f4"))


def loss(w, x, y):
    z = x @ w
    return jnp.mean(jnp.logaddexp(0.0, z) - y * z)


@jax.jit
def descend(w, x, y, rate):
    value, grad = jax.value_and_grad(loss)(w, x, y)
    return w - rate * grad, value


def fit(w, x, y, steps, rate):
    value = None
    for _ in range(steps):
        w, value = descend(w, x, y, rate)
    return w, float(value)
