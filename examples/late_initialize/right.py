"""A Monte Carlo estimate of pi by several JAX processes: they are connected before anything else happens.

python examples/launch.py 2 examples/late_initialize/right.py
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
    jax.distributed.initialize(
        coordinator_address=os.environ["JAX_COORDINATOR_ADDRESS"],
        num_processes=int(os.environ["JAX_NUM_PROCESSES"]),
        process_id=int(os.environ["JAX_PROCESS_ID"]),
    )
    seed = jax.random.key(5)
    mine = inside(jax.random.fold_in(seed, jax.process_index()))
    shares = multihost_utils.process_allgather(mine)
    if jax.process_index() == 0:
        print(
            f"{jax.process_count()} processes: pi is about {4.0 * float(shares.mean()):.2f} from {shares.size} shares"
        )


if __name__ == "__main__":
    main()
