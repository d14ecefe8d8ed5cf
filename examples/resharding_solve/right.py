"""A kernel regression on two hosts: the matrix is built by all GPUs together and solved by each host separately.

The mesh has an axis of hosts and one of the devices of a host. Rows are built on every device; the reshard from
("host", "device") to ("device") gives each host the whole matrix, sharded over its devices. All processes call it. Each
host then solves for its targets with jaxmg, independently. Without a GPU ``jax.scipy`` is used instead.

    python examples/launch.py 2 examples/resharding_solve/right.py
"""

import importlib.util
import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

POINTS, TILE, DEVICES_PER_HOST = 64, 16, 2


@jax.jit
def kernel(here: jax.Array, everywhere: jax.Array) -> jax.Array:
    """The rows of a positive definite matrix for some of the points."""
    return jnp.exp(-100.0 * (here[:, None] - everywhere[None, :]) ** 2) + 0.1 * (here[:, None] == everywhere[None, :])


def view_of_this_host(matrix: jax.Array) -> jax.Array:
    """The copy on this host, as an array on a mesh of this host's devices."""
    shards = sorted(matrix.addressable_shards, key=lambda shard: shard.index[0].start or 0)
    mesh = Mesh(np.array([shard.device for shard in shards]), ("device",))
    sharding = NamedSharding(mesh, P("device", None))
    return jax.make_array_from_single_device_arrays(matrix.shape, sharding, [shard.data for shard in shards])


def solve_here(matrix: jax.Array, targets: jax.Array) -> jax.Array:
    """The solution for this host's targets, computed on this host's devices alone."""
    if jax.default_backend() == "gpu" and importlib.util.find_spec("jaxmg"):
        import jaxmg

        return jaxmg.potrs(matrix, targets, T_A=TILE, in_specs=P("device", None), donate=False)
    return jax.scipy.linalg.solve(matrix, targets, assume_a="pos")


def main() -> None:
    """Build, reshard, solve, and report the residual of each host."""
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
    spread = jax.device_put(built, NamedSharding(mesh, P("device", None)))

    matrix = view_of_this_host(spread)
    targets = jnp.sin(2.0 * jnp.pi * (1 + jax.process_index()) * points)
    weights = solve_here(matrix, targets)
    residual = float(jnp.abs(matrix @ weights - targets).max())
    print(f"host {jax.process_index()}: residual below 1e-9: {residual < 1e-9}")


if __name__ == "__main__":
    main()
