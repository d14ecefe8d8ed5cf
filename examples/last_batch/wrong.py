"""Training on several JAX processes, each of which loops over its local batches until there are no more.

101 samples distributed over two processes are 51 and 50: with batches of 3 samples that is 17 steps on one process and
16 on the other. The process with more samples starts a step that the other one never joins: it hangs silently.

    python examples/launch.py 2 examples/last_batch/wrong.py 60
"""

import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

SAMPLES, BATCH = 101, 3


def samples_of_this_process() -> np.ndarray:
    """Every n-th row of a table: a feature, and a target that depends on it linearly."""
    feature = np.linspace(-1.0, 1.0, SAMPLES, dtype=np.float32)
    table = np.stack([feature, 3.0 * feature + 0.5], axis=1)
    return table[jax.process_index() :: jax.process_count()]


@jax.jit
def train_step(weights: jax.Array, batch: jax.Array) -> jax.Array:
    """Gradient descent on the mean squared error over the global batch."""

    def loss(w: jax.Array) -> jax.Array:
        return jnp.mean((batch[:, 0] * w[0] + w[1] - batch[:, 1]) ** 2)

    return weights - 0.3 * jax.grad(loss)(weights)


def train() -> jax.Array:
    """The weights after one epoch."""
    data = NamedSharding(Mesh(np.array(jax.devices()), ("data",)), PartitionSpec("data"))
    rows = samples_of_this_process()
    weights = jnp.zeros(2)
    batches = [rows[start : start + BATCH] for start in range(0, len(rows) - BATCH + 1, BATCH)]
    for rows_of_batch in batches:
        batch = jax.make_array_from_process_local_data(data, rows_of_batch)
        weights = train_step(weights, batch)  #! JM605
    return weights


def main() -> None:
    """Train, and print the weights."""
    jax.distributed.initialize(
        coordinator_address=os.environ["JAX_COORDINATOR_ADDRESS"],
        num_processes=int(os.environ["JAX_NUM_PROCESSES"]),
        process_id=int(os.environ["JAX_PROCESS_ID"]),
    )
    slope, offset = train().addressable_data(0)
    if jax.process_index() == 0:
        print(f"{jax.process_count()} processes: slope {float(slope):.2f}, offset {float(offset):.2f}")


if __name__ == "__main__":
    main()
