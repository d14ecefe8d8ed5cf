"""A kernel regression on two hosts: the matrix is built by all GPUs together, then host 0 gathers and solves it.

Gathering the rows moves data from every host, so every host must participate. Host 0 waits for rows that no host sends,
while the other one has finished. As the first communication of the job it fails after 30 s with an error about a key of
gloo; a later one waits for minutes.

    python examples/launch.py 2 examples/resharding_solve/wrong.py 60
"""

import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

POINTS, DEVICES_PER_HOST = 64, 2


@jax.jit
def kernel(here: jax.Array, everywhere: jax.Array) -> jax.Array:
    """The rows of a positive definite matrix for some of the points."""
    return jnp.exp(-100.0 * (here[:, None] - everywhere[None, :]) ** 2) + 0.1 * (here[:, None] == everywhere[None, :])


def main() -> None:
    """Build, gather, solve, and report the residual."""
    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_num_cpu_devices", DEVICES_PER_HOST)
    jax.distributed.initialize(
        coordinator_address=os.environ["JAX_COORDINATOR_ADDRESS"],
        num_processes=int(os.environ["JAX_NUM_PROCESSES"]),
        process_id=int(os.environ["JAX_PROCESS_ID"]),
    )
    mesh = Mesh(np.array(jax.devices()).reshape(jax.process_count(), -1), ("host", "device"))
    points = np.linspace(0.0, 1.0, POINTS)
    rows = jax.device_put(points, NamedSharding(mesh, P(("host", "device"))))
    built = kernel(rows, points)
    if jax.process_index() == 0:
        matrix = jnp.asarray(multihost_utils.process_allgather(built, tiled=True))  #! JM601
        targets = jnp.sin(2.0 * jnp.pi * points)
        weights = jax.scipy.linalg.solve(matrix, targets, assume_a="pos")
        residual = float(jnp.abs(matrix @ weights - targets).max())
        print(f"host {jax.process_index()}: residual below 1e-9: {residual < 1e-9}")


if __name__ == "__main__":
    main()
