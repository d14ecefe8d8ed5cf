import os

import jax
import jax.numpy as jnp
from jax.experimental import multihost_utils
from mpi4py import MPI


def connect(comm: MPI.Comm) -> None:
    address = comm.bcast(os.environ.get("COORDINATOR_ADDRESS", "localhost:29411"), root=0)
    jax.distributed.initialize(
        coordinator_address=address,
        num_processes=comm.Get_size(),
        process_id=comm.Get_rank(),
    )


def estimate_pi(index: int, samples: int = 20_000):
    points = jax.random.uniform(jax.random.PRNGKey(index), (samples, 2))
    return 4.0 * jnp.mean(jnp.square(points).sum(axis=1) < 1.0)


def main() -> None:
    connect(MPI.COMM_WORLD)
    estimates = multihost_utils.process_allgather(estimate_pi(jax.process_index()))
    if jax.process_index() == 0:
        print(f"pi is about {estimates.mean():.4f} from {estimates.size} processes")


if __name__ == "__main__":
    main()
