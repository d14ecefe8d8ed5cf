"""Training on several JAX processes; process 0 checks the loss and stops when it is small enough.

The other processes do not receive this decision. They start the next step and wait for process 0, which is exiting:
minutes later the runtime kills all processes with a message about a shutdown barrier.

    python examples/launch.py 2 examples/last_batch/wrong_early_stop.py 60
"""

import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec

SAMPLES, BATCH, EPOCHS = 101, 10, 60


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
    """The weights after all epochs."""
    data = NamedSharding(Mesh(np.array(jax.devices()), ("data",)), PartitionSpec("data"))
    rows = samples_of_this_process()
    steps = int(multihost_utils.process_allgather(np.int32(len(rows) // BATCH)).min())
    weights = jnp.zeros(2)
    for epoch in range(EPOCHS):
        order = np.roll(rows, -epoch, axis=0)
        for step in range(steps):
            batch = jax.make_array_from_process_local_data(data, order[step * BATCH : (step + 1) * BATCH])
            # the other processes wait in this launch for the one that has exited
            weights = train_step(weights, batch)  #! JM604
        if jax.process_index() == 0 and abs(float(weights.addressable_data(0)[0]) - 3.0) < 0.05:
            break
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
