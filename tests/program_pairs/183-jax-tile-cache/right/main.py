"""Train a classifier of tiles on all processes; needs COORDINATOR, NUM_PROCESSES, PROCESS_ID."""
import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

from features import cached_features, local_masks

TILES = 960


@jax.jit
def update(w, x, y):
    def loss_fn(w):
        z = x @ w[:-1] + w[-1]
        return jnp.mean(jnp.logaddexp(0.0, z) - y * z)

    loss, g = jax.value_and_grad(loss_fn)(w)
    return w - 0.3 * g, loss


def main():
    jax.distributed.initialize(os.environ["COORDINATOR"], int(os.environ["NUM_PROCESSES"]),
                               int(os.environ["PROCESS_ID"]))
    masks, seconds = local_masks(TILES)
    features, labels = cached_features("tiles.npz", TILES)
    features = (features - features.mean(axis=0)) / features.std(axis=0)

    mesh = Mesh(np.array(jax.devices()), ("data",))
    sharding = NamedSharding(mesh, P("data"))
    usable = TILES - TILES % mesh.devices.size
    x = jax.make_array_from_callback((usable, features.shape[1]), sharding, lambda i: features[:usable][i])
    y = jax.make_array_from_callback((usable,), sharding, lambda i: labels[:usable][i])

    w = jax.device_put(np.zeros(features.shape[1] + 1, np.float32), NamedSharding(mesh, P()))
    for _ in range(200):
        w, loss = update(w, x, y)
    if jax.process_index() == 0:
        print(f"{usable} tiles, {len(masks)} masks here, loss {float(loss):.5f}")


if __name__ == "__main__":
    main()
