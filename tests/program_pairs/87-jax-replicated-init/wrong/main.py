"""Fit a small network to a function, parameters replicated, batches split over processes."""
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils

from runtime import Placement, start


def init(key, hidden=24):
    k1, k2 = jax.random.split(key)
    return {
        "w1": jax.random.normal(k1, (1, hidden)) * 2.0,
        "b1": jnp.linspace(-2, 2, hidden),
        "w2": jax.random.normal(k2, (hidden, 1)) / hidden ** 0.5,
    }


def apply(p, x):
    return jnp.tanh(x @ p["w1"] + p["b1"]) @ p["w2"]


@jax.jit
def update(p, x, y):
    loss, g = jax.value_and_grad(lambda q: jnp.mean((apply(q, x) - y) ** 2))(p)
    return jax.tree_util.tree_map(lambda a, b: a - 0.05 * b, p, g), loss


def checksum(p):
    return sum(float(np.abs(a.addressable_data(0)).sum()) for a in jax.tree_util.tree_leaves(p))


def main(steps=40, seed=42):
    mesh = start()
    place = Placement(mesh)
    me = jax.process_index()

    key = jax.random.PRNGKey(seed + me)
    init_key, data_key = jax.random.split(key)
    params = place.replicate(init(init_key))

    for step in range(steps):
        data_key, sub = jax.random.split(data_key)
        x = jax.random.uniform(sub, (64, 1), minval=-2, maxval=2)
        params, loss = update(params, place.shard(x), place.shard(jnp.sin(2 * x)))

    sums = np.atleast_1d(multihost_utils.process_allgather(np.float32(checksum(params))))
    if me == 0:
        print("loss", round(float(loss), 5))
        print("parameter checksums", np.round(sums, 4), "max difference", np.ptp(sums))
    jax.distributed.shutdown()


if __name__ == "__main__":
    main()
