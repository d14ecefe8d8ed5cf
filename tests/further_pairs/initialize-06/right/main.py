import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils


def main():
    rank = int(os.environ["RANK"])
    jax.distributed.initialize(
        coordinator_address=os.environ["COORDINATOR_ADDRESS"],
        num_processes=int(os.environ["WORLD_SIZE"]),
        process_id=rank,
    )
    per_device = 200
    rows = per_device * jax.local_device_count()
    rng = np.random.default_rng(rank)
    x = rng.standard_normal((rows, 3)).astype(np.float32)
    gram = jax.jit(lambda a: a.T @ a)(jnp.asarray(x))
    total = multihost_utils.process_allgather(gram).sum(axis=0)
    if jax.process_index() == 0:
        print("trace of the covariance", round(float(np.trace(total)), 3))


if __name__ == "__main__":
    main()
