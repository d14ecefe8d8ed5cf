"""Gradient norms of a model's parameter groups; the groups are a set, and the loop over it drives the computations.

Python salts the hashes of strings in every process, so the iteration order of the set differs between processes. The
launches match by position, not by name: the processes add entries of different groups. No error, wrong norms.

    python examples/launch.py 2 examples/set_order/wrong.py
"""

import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

GROUPS = {"attention", "embed", "feedforward", "output"}


def gradient(group: str, data: NamedSharding) -> jax.Array:
    """A gradient sharded over all processes; its entries equal the length of the group's name."""
    rows = np.full((4, 3), float(len(group)), dtype=np.float32)
    return jax.make_array_from_process_local_data(data, rows)


@jax.jit
def mean_square(array: jax.Array) -> jax.Array:
    """Mean over the shards on all processes."""
    return jnp.mean(array**2)


def main() -> None:
    """Norms by group."""
    jax.distributed.initialize(
        coordinator_address=os.environ["JAX_COORDINATOR_ADDRESS"],
        num_processes=int(os.environ["JAX_NUM_PROCESSES"]),
        process_id=int(os.environ["JAX_PROCESS_ID"]),
    )
    data = NamedSharding(Mesh(np.array(jax.devices()), ("data",)), PartitionSpec("data"))
    gradients = {group: gradient(group, data) for group in sorted(GROUPS)}
    norms = {}
    for group in GROUPS:  #! JM801
        norms[group] = float(mean_square(gradients[group])) ** 0.5
    if jax.process_index() == 0:
        found = ", ".join(f"{group} {norm:.0f}" for group, norm in sorted(norms.items()))
        print(f"{jax.process_count()} processes: {found}")


if __name__ == "__main__":
    main()
