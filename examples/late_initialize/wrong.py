"""A Monte Carlo estimate of pi by several JAX processes that create a key before they are connected.

Creating the key starts JAX's backend, which fixes the number of processes at one. Each process raises ``RuntimeError``
in ``initialize``. In a larger program the key may be created in a module that is imported earlier.

    python examples/launch.py 2 examples/late_initialize/wrong.py
"""

import os

import jax
import jax.numpy as jnp
from jax.experimental import multihost_utils

POINTS = 200_000


def inside(key: jax.Array) -> jax.Array:
    """The share of random points of the unit square that lie in the quarter circle."""
    x, y = jax.random.uniform(key, (2, POINTS))
    return jnp.mean(x**2 + y**2 < 1.0)


def main() -> None:
    """Every process draws separate points; all of them gather every share."""
    seed = jax.random.key(5)
    jax.distributed.initialize(  #! JM602
        coordinator_address=os.environ["JAX_COORDINATOR_ADDRESS"],
        num_processes=int(os.environ["JAX_NUM_PROCESSES"]),
        process_id=int(os.environ["JAX_PROCESS_ID"]),
    )
    mine = inside(jax.random.fold_in(seed, jax.process_index()))
    shares = multihost_utils.process_allgather(mine)
    if jax.process_index() == 0:
        print(
            f"{jax.process_count()} processes: pi is about {4.0 * float(shares.mean()):.2f} from {shares.size} shares"
        )


if __name__ == "__main__":
    main()
