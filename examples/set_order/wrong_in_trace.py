"""A weighted total over a model's parameter groups; the loop over the set runs while the function is traced.

The iteration order of the set differs between processes, so the processes give the groups different weights and compile
different programs under one name. The launches still match, and the total is that of no process.

    python examples/launch.py 2 examples/set_order/wrong_in_trace.py
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


@jax.jit
def scaled_total(arrays: dict[str, jax.Array]) -> jax.Array:
    """A weighted sum over groups; the loop is unrolled while tracing, in the order of the set."""
    total = jnp.zeros(())
    for weight, group in enumerate(GROUPS):  #! JM614
        total = total + weight * arrays[group].mean()
    return total


def main() -> None:
    """Norms by group, then their weighted total."""
    jax.distributed.initialize(
        coordinator_address=os.environ["JAX_COORDINATOR_ADDRESS"],
        num_processes=int(os.environ["JAX_NUM_PROCESSES"]),
        process_id=int(os.environ["JAX_PROCESS_ID"]),
    )
    data = NamedSharding(Mesh(np.array(jax.devices()), ("data",)), PartitionSpec("data"))
    gradients = {group: gradient(group, data) for group in sorted(GROUPS)}
    norms = {group: float(mean_square(gradients[group])) ** 0.5 for group in sorted(GROUPS)}
    total = scaled_total(gradients)
    if jax.process_index() == 0:
        found = ", ".join(f"{group} {norm:.0f}" for group, norm in norms.items())
        print(f"{jax.process_count()} processes: {found}; total {float(total):.0f}")


if __name__ == "__main__":
    main()
