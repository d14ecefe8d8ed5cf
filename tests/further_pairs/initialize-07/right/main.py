import jax
import jax.numpy as jnp
from jax.experimental import multihost_utils

import basis


def main() -> None:
    jax.distributed.initialize(cluster_detection_method="mpi4py")
    frequency = 1.0 + jax.process_index()
    c = basis.coefficients(jnp.sin(frequency * jnp.asarray(basis.NODES)))
    rows = multihost_utils.process_allgather(c)
    if jax.process_index() == 0:
        for k, row in enumerate(rows):
            print(f"process {k}: largest coefficient {abs(row).max():.5f}")


if __name__ == "__main__":
    main()
