import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils

CHANNELS = 5


def column_statistics() -> np.ndarray:
    """Mean and deviation of each channel of the reference data."""
    rng = np.random.default_rng(3)
    data = rng.normal(np.arange(CHANNELS), 2.0, size=(1000, CHANNELS))
    return np.stack([data.mean(axis=0), data.std(axis=0)]).astype(np.float32)


@jax.jit
def normalise(x, statistics):
    return (x - statistics[0]) / statistics[1]


def main() -> None:
    rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    jax.distributed.initialize(os.environ["COORDINATOR_ADDRESS"], world, rank)
    if jax.process_index() == 0:
        statistics = column_statistics()
    else:
        statistics = np.zeros(CHANNELS, dtype=np.float32)
    statistics = multihost_utils.broadcast_one_to_all(statistics)
    x = jax.random.normal(jax.random.PRNGKey(rank), (100, CHANNELS))
    means = multihost_utils.process_allgather(normalise(x, jnp.asarray(statistics)).mean(axis=0))
    if jax.process_index() == 0:
        print(means.mean(axis=0).round(4).tolist())


if __name__ == "__main__":
    main()
